import {
  type CallExpression,
  isCallExpression,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast';
import { type Type, TypeFlags } from 'typescript/unstable/sync';
import { nodesIn, type RoomTypes } from './program.ts';

/** A statement of the source with the type that its rows are said to have. */
export interface Statement {
  readonly file: string;
  readonly line: number;
  /** The template, or the first argument of `query`. */
  readonly text: Node;
  readonly row: Type;
}

/** Statements as `` sql<Row>`…` `` and `client.query<Row>(…)`, in the order of the source. */
export const statementsOf = (room: RoomTypes): Statement[] =>
  [...room.files].flatMap(([file, source]) =>
    [...nodesIn(source)].flatMap((node) => {
      const text = textIn(node);
      const row = text && rowTypeOf(room, node as TaggedTemplateExpression | CallExpression);
      return row ? [{ file, line: lineOf(source, node), text, row }] : [];
    }),
  );

function textIn(node: Node): Node | undefined {
  if (isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') return node;
  const isQuery =
    isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'query';
  return isQuery ? node.arguments[0] : undefined;
}

/** Nothing for a fragment, whose type is that of a value, and for a type that names no columns. */
function rowTypeOf({ checker }: RoomTypes, node: TaggedTemplateExpression | CallExpression): Type | undefined {
  const asserted = node.typeArguments?.[0];
  const type = asserted && checker.getTypeFromTypeNode(asserted);
  if (!type || !(type.flags & (TypeFlags.Object | TypeFlags.Intersection)) || checker.isArrayLikeType(type))
    return undefined;
  return checker.getPropertiesOfType(type).length > 0 ? type : undefined;
}

const lineOf = (source: Node, node: Node): number => source.getFullText().slice(0, node.getStart()).split('\n').length;
