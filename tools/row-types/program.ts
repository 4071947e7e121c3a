import path from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as Name, type Project, SymbolFlags, type Type } from 'typescript/unstable/sync';

const root = path.resolve(import.meta.dirname, '../..');

/** The types of a room, as the compiler knows them. */
export interface RoomTypes {
  readonly checker: Checker;
  /** The files of the room without its tests, by path from the checkout's root. */
  readonly files: ReadonlyMap<string, Node>;
  /** Where a name was declared; undefined for what is not of the source. */
  declarationOf(name: Node): Node | undefined;
  /** The calls of a function in the source. */
  callsOf(declaration: Node): readonly Node[];
  close(): void;
}

/** The room is read by its tsconfig.json. The caller closes it. */
export function openRoom(room: string): RoomTypes {
  const api = new API({ cwd: root });
  const config = path.join(root, room, 'tsconfig.json');
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (!project) throw new Error(`There is no project ${config}.`);
  const { checker, program } = project;
  return {
    checker,
    files: filesOf(project, room),
    declarationOf: (name) => {
      const symbol = originOf(checker, checker.getSymbolAtLocation(name));
      const declaration = symbol?.valueDeclaration?.resolve(project);
      return declaration && program.isSourceFileFromExternalLibrary(declaration.getSourceFile())
        ? undefined
        : declaration;
    },
    callsOf: (declaration) =>
      checker.getSignatureUsage(declaration).flatMap(({ call }) => call?.resolve(project) ?? []),
    close: () => api.close(),
  };
}

const filesOf = ({ program }: Project, room: string): ReadonlyMap<string, Node> =>
  new Map(
    program
      .getSourceFileNames()
      .map((file) => path.relative(root, file))
      .filter((file) => file.startsWith(`${room}/`) && !file.endsWith('.test.ts'))
      .sort()
      .flatMap((file) => {
        const source = program.getSourceFile(path.join(root, file));
        return source ? [[file, source] as const] : [];
      }),
  );

const originOf = (checker: Checker, symbol: Name | undefined): Name | undefined =>
  symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** The members of a union, or the type itself. */
export const membersOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type]);

/** Every node below one, itself first. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
    return undefined;
  });
  for (const child of children) yield* nodesIn(child);
}

/** An expression without parentheses, casts and assertions around it. */
export function bare(node: Node): Node {
  switch (node.kind) {
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.AsExpression:
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.NonNullExpression:
      return bare((node as Node & { readonly expression: Node }).expression);
    default:
      return node;
  }
}
