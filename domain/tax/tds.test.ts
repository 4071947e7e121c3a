import { describe, expect, test } from 'vitest';
import { money, percentage } from '../base/decimal.ts';
import { tdsSections } from '../facts/withholding.ts';
import { type TdsQuestion, tcsRate, tdsOn } from './tds.ts';

const ask = (part: Partial<TdsQuestion>) => {
  const question: TdsQuestion = {
    section: '194J(b)',
    date: '2026-11-21',
    amount: money('60000'),
    before: money('0'),
    deductedOn: money('0'),
    deductee: 'other',
    pan: true,
    ...part,
  };
  const answer = tdsOn(question);
  return answer && [answer.rate, answer.base, answer.tds];
};
const is = (rate: string, base: string, tds: string) => [percentage(rate), money(base), money(tds)];

const covers = (rate: string, base: string) => ({ rate: percentage(rate), base: money(base) });

describe('tdsOn', () => {
  test('professional fees', () => expect(ask({})).toEqual(is('10', '60000', '6000')));
  test('at the threshold nothing', () => expect(ask({ amount: money('50000') })).toEqual(is('10', '0', '0')));
  test('crossing it makes the whole year liable', () =>
    expect(ask({ amount: money('20000'), before: money('40000') })).toEqual(is('10', '60000', '6000')));
  test('what has borne its deduction does not bear it again', () =>
    expect(ask({ amount: money('20000'), before: money('60000'), deductedOn: money('60000') })).toEqual(
      is('10', '20000', '2000'),
    ));
  test('without PAN 20 %', () => expect(ask({ pan: false })).toEqual(is('20', '60000', '12000')));
  test('a certificate lowers the rate and never raises it', () => {
    expect(ask({ certificate: covers('3', '60000') })).toEqual(is('3', '60000', '1800'));
    expect(ask({ certificate: covers('30', '60000') })).toEqual(is('10', '60000', '6000'));
  });
  test('beyond what a certificate covers the usual rate bears, and without PAN it is worth nothing', () => {
    expect(ask({ certificate: covers('3', '20000') })).toEqual(is('10', '60000', '4600'));
    expect(ask({ certificate: covers('3', '60000'), pan: false })).toEqual(is('20', '60000', '12000'));
  });
  test('to the rupee', () => expect(ask({ amount: money('60004.90') })).toEqual(is('10', '60004.90', '6000')));

  test('contractor: one bill above 30,000 is liable by itself, individuals at 1 %', () => {
    const contractor = { section: '194C', amount: money('40000') } as const;
    expect(ask(contractor)).toEqual(is('2', '40000', '800'));
    expect(ask({ ...contractor, deductee: 'individual' })).toEqual(is('1', '40000', '400'));
    expect(ask({ ...contractor, amount: money('30000') })).toEqual(is('2', '0', '0'));
    expect(ask({ ...contractor, before: money('65000'), deductedOn: money('40000') })).toEqual(
      is('2', '65000', '1300'),
    );
  });
  test('goods: only what goes beyond 50 lakh', () => {
    const goods = { section: '194Q', amount: money('1000000') } as const;
    expect(ask({ ...goods, before: money('4500000') })).toEqual(is('0.1', '500000', '500'));
    expect(ask({ ...goods, before: money('9000000') })).toEqual(is('0.1', '1000000', '1000'));
    expect(ask({ ...goods, before: money('9000000'), pan: false })).toEqual(is('5', '1000000', '50000'));
  });
  test('insurance commission of a company', () =>
    expect(ask({ section: '194D', deductee: 'company' })).toEqual(is('10', '60000', '6000')));
  test('a day or section without known rates has no answer', () => {
    expect(ask({ date: '2024-03-31' })).toBeUndefined();
    expect(ask({ section: '194Z' })).toBeUndefined();
  });
  test('sections are named once', () =>
    expect(new Set(tdsSections.map((s) => s.section)).size).toBe(tdsSections.length));
});

test.each([
  ['206C(1) scrap', '2026-03-31', '1'],
  ['206C(1) scrap', '2026-04-01', '2'],
  ['206C(1) tendu', '2026-04-01', '2'],
  ['206C(1H)', '2025-03-31', '0.1'],
])('tcsRate %s on %s is %s %', (section, date, rate) => expect(tcsRate(section, date)).toBe(percentage(rate)));
test('sale of goods bears no TCS any more', () => expect(tcsRate('206C(1H)', '2025-04-01')).toBeUndefined());
