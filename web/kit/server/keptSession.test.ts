import { expect, test } from 'vitest';
import { generalConfiguration, registrationView, type Session, sessionView } from '../../../contract/session.ts';
import { completed } from './keptSession.ts';

const id = '018f3f6e-0000-7000-8000-000000000001';
const address = { line1: '1 Road', line2: '', city: 'Bengaluru', state: '', pincode: '560001', portalName: '' };
const session: Session = {
  ...{ subject: 'asha', name: 'Asha', email: 'asha@sharma.demo', organisations: [], grants: { PoS: 5003 }, both: [] },
  limits: { discount: null, days: null, cost: 'none' },
  organisation: { code: 'SHARMA', name: 'Sharma', logo: null, business: 'trader' },
  registrations: [
    {
      ...{ id, gstin: null, state: '29', legalName: 'Sharma', kind: 'composition', einvoiceFrom: '2026-04-01' },
      address,
      ...{ stops: [{ from: '2026-11-01', to: null, what: 'suspended' as const }] },
      ...{ statuses: [{ from: '2026-10-01', kind: 'regular' }], annualReturns: { '2024-25': '2025-12-01' } },
      ...{ bound: { sixDigits: ['2026-27'], portalDaysFrom: null, deductsOnGoods: [] }, filing: [] },
    },
  ],
  locations: [{ id, code: 'HO', name: 'Head office', isTax: true, isPhysical: true, registration: id, address }],
  preferences: { mode: 'default', colour: '#104dba', font: 'Roboto' },
  settings: generalConfiguration.parse({ enableShelfLife: true }),
  ...{ taxLocation: null, physicalLocation: null, notifications: 2, broadcast: null, passwords: true, operator: false },
  subscription: { endsOn: null, expired: false, lapsed: [] },
  secondFactor: { on: false, required: false },
  installation: { portal: 'none', demo: false },
  ...{
    mayFound: true,
    mails: true,
    costCentres: true,
    used: ['saleInvoice'],
    pins: ['Units'],
    today: '2026-11-21',
    expiresAt: '2026-11-22T00:00:00Z',
    lockedThrough: null,
  },
};
const without = (of: object, name: string) => Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));
const needed =
  'subject name email organisation organisations registrations locations grants preferences settings today expiresAt';

test('a session that is whole is taken as it is', () => expect(completed(session)).toEqual(session));

test('what an earlier version did not keep is added; without what nobody can know it is put aside', () => {
  const lost = Object.keys(sessionView.shape).filter((name) => {
    const known = completed(without(session, name));
    if (known) expect(sessionView.safeParse(known).error, name).toBeUndefined();
    return !known;
  });
  expect(lost.toSorted()).toEqual(needed.split(' ').toSorted());
});

test('an earlier organisation has not said what sort of business it is', () => {
  const organisation = { code: 'SHARMA', name: 'Sharma', logo: null };
  expect(completed({ ...session, organisation })?.organisation).toEqual({ ...organisation, business: null });
});

test('so it is with its registrations: an earlier one has no dated status, and is what it was first', () => {
  const lost = Object.keys(registrationView.shape).filter((name) => {
    const registrations = session.registrations.map((one) => without(one, name));
    const known = completed({ ...session, registrations });
    if (known) expect(sessionView.safeParse(known).error, name).toBeUndefined();
    return !known;
  });
  expect(lost.toSorted()).toEqual(['gstin', 'id', 'kind', 'legalName', 'state']);
  const [own] =
    completed({ ...session, registrations: session.registrations.map((one) => without(one, 'statuses')) })
      ?.registrations ?? [];
  expect(own).toMatchObject({ kind: 'composition', statuses: [], annualReturns: { '2024-25': '2025-12-01' } });
});

test('a switch that an earlier version did not have is as it is where nobody has set it', () => {
  expect(completed({ ...session, settings: {} })?.settings).toEqual(generalConfiguration.parse({}));
  expect(completed({ ...session, settings: { enableShelfLife: true } })?.settings.enableShelfLife).toBe(true);
});

test('what is no session is put aside', () => {
  for (const other of [null, 5, 'text', [], {}, { ...session, registrations: [null] }, { ...session, locations: {} }])
    expect(completed(other)).toBeUndefined();
});
