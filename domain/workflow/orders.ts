import { kindByCode, kindCalled, kindNames, kindOf } from '../document/kinds/index.ts';
import type { FieldName } from '../document/kinds/kind.ts';
import { askableFields, type FlowFamily, isFamily } from './families.ts';

/** The kinds of a family. */
export const kindsIn = (family: FlowFamily) => kindNames.filter((name) => kindOf(name).life.flow === family);

/** The family that a caller names: by its own name, or by a kind of it; undefined: there is none. */
export const familyNamed = (name: string): FlowFamily | undefined =>
  isFamily(name) ? name : kindCalled(kindByCode(name) ?? '')?.life.flow;

/** Kinds that go through stages. */
const flowing = kindNames.filter((name) => kindOf(name).life.flow !== undefined);

/** The kinds of orders that a caller names: of a family, or with an empty name all; undefined: there are none. */
export const orderKinds = (name: string) => {
  const family = familyNamed(name);
  return name === '' ? flowing : family && kindsIn(family);
};

/** The fields that can be asked for of orders of a family: those that one of its kinds has. */
export const fieldsIn = (family: FlowFamily): readonly FieldName[] =>
  (Object.keys(askableFields) as FieldName[]).filter((field) =>
    kindsIn(family).some((name) => kindOf(name).fields.includes(field)),
  );

/** Kinds that are made from an order whatever its stage: money moves before goods do. */
export const freeOfStages = kindNames.filter(
  (name) =>
    kindOf(name).lines.of === 'none' &&
    kindOf(name).source.kinds.some((source) =>
      kindNames.some((order) => order === source && kindOf(order).life.flow !== undefined),
    ),
);
