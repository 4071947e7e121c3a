import { isNode, type Node } from '../syntax.ts';

/** A small change of a program that its tests should notice. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** The text there, and what replaces it. */
  readonly text: string;
  readonly by: string;
}

const operators: Readonly<Record<string, string>> = {
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' },
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '&&': '||', '||': '&&', '??': '&&' },
};
const methods: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };

/** Changes of operators, numbers, truth values and conditions, in their order. Types are left alone. */
export function mutantsOf(program: unknown, source: string): Mutant[] {
  const found: Mutant[] = [];
  const change = (start: number, end: number, by: string) => {
    const line = source.slice(0, start).split('\n').length;
    const text = source.slice(start, end);
    found.push({ start, end, line, text, by });
  };
  const whole = (node: Node, by: string) => change(node.start, node.end, by);
  const text = ({ start, end }: Node): string => source.slice(start, end);

  const binary = (node: Node): void => {
    const [left, right, operator] = [node['left'], node['right'], String(node['operator'])];
    const by = operators[operator];
    if (!by || !isNode(left) || !isNode(right)) return;
    const gap = source.slice(left.end, right.start);
    whole(node, `${text(left)}${gap.replace(operator, by)}${text(right)}`);
  };
  const condition = (node: Node): void => {
    const { test } = node;
    if (!isNode(test)) return;
    whole(test, 'true');
    whole(test, 'false');
  };
  const literal = (node: Node): void => {
    const { value } = node;
    if (typeof value === 'number') whole(node, String(value + 1));
    if (typeof value === 'boolean') whole(node, String(!value));
  };
  const unary = (node: Node): void => {
    const { argument, operator } = node;
    if (isNode(argument) && (operator === '!' || operator === '-')) whole(node, text(argument));
  };
  const member = (node: Node): void => {
    const { property } = node;
    const name = isNode(property) ? String(property['name']) : '';
    const by = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (isNode(property) && by) whole(property, by);
  };
  const kinds: Readonly<Record<string, (node: Node) => void>> = {
    ...{ BinaryExpression: binary, LogicalExpression: binary, AssignmentExpression: binary },
    ...{ ConditionalExpression: condition, IfStatement: condition, Literal: literal, UnaryExpression: unary },
    MemberExpression: member,
  };
  /** Expressions that may be followed by a type; all else that begins so is a type. */
  const wrapped = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!isNode(value) || value.type === 'ImportDeclaration') return;
    const isWrapped = wrapped.has(value.type);
    if (value.type.startsWith('TS') && !isWrapped) return;
    if (isWrapped) {
      walk(value['expression']);
      return;
    }
    kinds[value.type]?.(value);
    for (const part of Object.values(value)) walk(part);
  };
  walk(program);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}
