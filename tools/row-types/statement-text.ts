import {
  type ArrowFunction,
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type ObjectLiteralExpression,
  SyntaxKind,
  type TemplateLiteral,
} from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/sync';
import { bare, membersOf, nodesIn, type RoomTypes } from './program.ts';

/** A statement cannot be put together from the source: the message says at which expression. */
export class NotConstant extends Error {}

/** What the parameters of the functions on the way stand for: declaration to argument. */
type Scope = ReadonlyMap<Node, Argument>;
interface Argument {
  readonly expression: Node;
  readonly scope: Scope;
}
const EMPTY: Scope = new Map();

/** No statement of the source has as many alternatives in one place. */
const MOST_TEXTS = 24;

/**
 * The texts a statement may have, with `$1`, `$2` … for its values. Where an expression has alternatives, as `when ? a : b`
 * has, each alternative is in one of the texts; not every combination is.
 */
export function textsOf(room: RoomTypes, statement: Node): string[] {
  const texts: string[] = [];
  for (let pass = 0, passes = 1; pass < Math.min(passes, MOST_TEXTS); pass += 1) {
    const writer = new Writer(room, pass);
    texts.push(writer.statement(statement));
    passes = Math.max(passes, writer.alternatives);
  }
  return [...new Set(texts)];
}

/** Writes one text of a statement. */
class Writer {
  /** The most alternatives that one place had. */
  alternatives = 1;
  readonly #room: RoomTypes;
  readonly #pass: number;
  #values = 0;
  #depth = 0;

  constructor(room: RoomTypes, pass: number) {
    this.#room = room;
    this.#pass = pass;
  }

  statement(node: Node): string {
    if (isTaggedTemplateExpression(node)) return this.#template(node.template, EMPTY);
    return this.#constant(isObjectLiteralExpression(node) ? textOfConfiguration(node) : node, EMPTY);
  }

  #template(template: TemplateLiteral, scope: Scope): string {
    return this.#pieces(template, (expression) => this.#part(expression, scope));
  }

  #pieces(template: TemplateLiteral, piece: (expression: Node) => string): string {
    if (isNoSubstitutionTemplateLiteral(template)) return template.text;
    if (!isTemplateExpression(template)) throw new NotConstant('a template');
    return template.templateSpans.reduce(
      (text, span) => text + piece(span.expression) + span.literal.text,
      template.head.text,
    );
  }

  /** A place of a template: a fragment of SQL, or a value. */
  #part(expression: Node, scope: Scope): string {
    return this.#isFragment(this.#room.checker.getTypeAtLocation(expression))
      ? this.#fragment(expression, scope)
      : this.#value();
  }

  #value(): string {
    this.#values += 1;
    return `$${this.#values}`;
  }

  #isFragment(type: Type | undefined): boolean {
    return type !== undefined && membersOf(type).some((one) => FRAGMENTS.has(one.getSymbol()?.name ?? ''));
  }

  #fragment(given: Node, scope: Scope): string {
    const node = bare(given);
    if (isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') return this.#template(node.template, scope);
    if (isCallExpression(node) && node.expression.getText().startsWith('sql.')) return this.#made(node, scope);
    return this.#followed(node, scope, (next, inScope) => this.#fragment(next, inScope));
  }

  /** `sql.raw(text)`, `sql.ref(name)`, `sql.table(name)`, `sql.join(list, separator)`. */
  #made(call: Node & { readonly expression: Node; readonly arguments: readonly Node[] }, scope: Scope): string {
    const [first, second] = call.arguments;
    if (!first) throw new NotConstant(call.getText());
    switch (call.expression.getText()) {
      case 'sql.raw':
        return this.#constant(first, scope);
      case 'sql.ref':
      case 'sql.table':
        return this.#constant(first, scope)
          .split('.')
          .map((name) => `"${name}"`)
          .join('.');
      case 'sql.join':
        return this.#list(first, scope).join(second ? this.#fragment(second, scope) : ', ');
      default:
        throw new NotConstant(call.getText());
    }
  }

  /** The elements of a list, as far as the source has them: one for a list that is made from another by a function. */
  #list(given: Node, scope: Scope): string[] {
    const node = bare(given);
    if (isArrayLiteralExpression(node)) return node.elements.map((element) => this.#part(element, scope));
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'map') {
      const [each] = node.arguments;
      const from = bare(node.expression.expression);
      if (each && isArrowFunction(each))
        return this.#mapped(each, isArrayLiteralExpression(from) ? from.elements : [], scope);
    }
    return [this.#value()];
  }

  #mapped(each: ArrowFunction, elements: readonly Node[], scope: Scope): string[] {
    const [parameter] = each.parameters;
    const scopes = parameter ? elements.map((expression) => new Map(scope).set(parameter, { expression, scope })) : [];
    const result = this.#choice(resultsOf(each), each);
    return (scopes.length > 0 ? scopes : [scope]).map((one) => this.#part(result, one));
  }

  /** A text that is known without running the program. */
  #constant(given: Node, scope: Scope): string {
    const node = bare(given);
    if (isStringLiteral(node)) return node.text;
    if (isNoSubstitutionTemplateLiteral(node) || isTemplateExpression(node))
      return this.#pieces(node, (expression) => this.#constant(expression, scope));
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken)
      return this.#constant(node.left, scope) + this.#constant(node.right, scope);
    const type = this.#room.checker.getTypeAtLocation(node);
    if (type?.isStringLiteralType()) return type.value;
    if (type?.isNumberLiteralType()) return String(type.value);
    return this.#followed(node, scope, (next, inScope) => this.#constant(next, inScope));
  }

  /** Goes from a name, a call, a choice or a member of a table to what it stands for. */
  #followed(node: Node, scope: Scope, go: (next: Node, scope: Scope) => string): string {
    this.#depth += 1;
    if (this.#depth > 60) throw new NotConstant(`${node.getText()} (calls itself)`);
    try {
      if (isConditionalExpression(node)) return go(this.#choice([node.whenTrue, node.whenFalse], node), scope);
      if (isBinaryExpression(node) && CHOICES.has(node.operatorToken.kind))
        return go(this.#choice([node.left, node.right], node), scope);
      if (isIdentifier(node)) return this.#named(node, scope, go);
      if (isCallExpression(node)) return this.#called(node, scope, go);
      if (isPropertyAccessExpression(node)) {
        const declared = this.#room.declarationOf(node.name);
        if (declared && isPropertyAssignment(declared)) return go(declared.initializer, scope);
      }
      if (isElementAccessExpression(node)) return this.#member(node.expression, scope, go);
      throw new NotConstant(node.getText());
    } finally {
      this.#depth -= 1;
    }
  }

  #named(name: Node, scope: Scope, go: (next: Node, scope: Scope) => string): string {
    const declared = this.#room.declarationOf(name);
    if (declared && isVariableDeclaration(declared) && declared.initializer && isConstant(declared))
      return go(declared.initializer, scope);
    if (!declared || !isParameterDeclaration(declared)) throw new NotConstant(name.getText());
    const argument = scope.get(declared);
    if (argument) return go(argument.expression, argument.scope);
    const owner = declared.parent as Node & { readonly parameters?: readonly Node[] };
    const place = owner.parameters?.indexOf(declared) ?? -1;
    const given = this.#room.callsOf(owner).flatMap((call) => (isCallExpression(call) && call.arguments[place]) || []);
    if (given.length === 0) throw new NotConstant(name.getText());
    return go(this.#choice(given, name), EMPTY);
  }

  #called(
    call: Node & { readonly expression: Node; readonly arguments: readonly Node[] },
    scope: Scope,
    go: (next: Node, scope: Scope) => string,
  ): string {
    const declared = this.#room.declarationOf(call.expression);
    const body = declared && isVariableDeclaration(declared) ? declared.initializer : declared;
    if (!body || !(isArrowFunction(body) || isFunctionDeclaration(body))) throw new NotConstant(call.getText());
    const inner = new Map(scope);
    for (const [place, parameter] of body.parameters.entries()) {
      const expression = call.arguments[place] ?? parameter.initializer;
      if (expression) inner.set(parameter, { expression, scope });
    }
    return go(this.#choice(resultsOf(body), call), inner);
  }

  #member(table: Node, scope: Scope, go: (next: Node, scope: Scope) => string): string {
    const declared = isIdentifier(table) ? this.#room.declarationOf(table) : undefined;
    const rows =
      declared && isVariableDeclaration(declared) ? declared.initializer && bare(declared.initializer) : table;
    if (!rows || !isObjectLiteralExpression(rows)) throw new NotConstant(table.getText());
    return go(
      this.#choice(
        rows.properties.flatMap((row) => (isPropertyAssignment(row) ? [row.initializer] : [])),
        table,
      ),
      scope,
    );
  }

  #choice(all: readonly Node[], of: Node): Node {
    const leaves = all.flatMap(leavesOf).filter((node) => node.kind !== SyntaxKind.UndefinedKeyword);
    this.alternatives = Math.max(this.alternatives, leaves.length);
    const chosen = leaves[this.#pass % leaves.length];
    if (!chosen) throw new NotConstant(of.getText());
    return chosen;
  }
}

const FRAGMENTS: ReadonlySet<string> = new Set(['RawBuilder', 'Expression']);
const CHOICES: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken]);

/** The alternatives of a chain `a ? x : b ? y : z`. */
function leavesOf(given: Node): Node[] {
  const node = bare(given);
  return isConditionalExpression(node) ? [...leavesOf(node.whenTrue), ...leavesOf(node.whenFalse)] : [node];
}

/** The text of `query({ name, text, values })`. */
function textOfConfiguration(configuration: ObjectLiteralExpression): Node {
  for (const property of configuration.properties) {
    if (isPropertyAssignment(property) && property.name.getText() === 'text') return property.initializer;
    if (isShorthandPropertyAssignment(property) && property.name.getText() === 'text') return property.name;
  }
  throw new NotConstant(configuration.getText());
}

const isConstant = (declaration: Node): boolean => declaration.parent.getText().startsWith('const');

/** The expressions that a function returns. */
function resultsOf({ body }: { readonly body?: Node | undefined }): Node[] {
  if (!body) return [];
  if (!isBlock(body)) return [body];
  return [...nodesIn(body)].flatMap((node) => (isReturnStatement(node) && node.expression ? [node.expression] : []));
}
