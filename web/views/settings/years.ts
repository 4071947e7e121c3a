import { financialYearOf } from '../../../domain/base/dates.ts';

/** Financial years that can be locked, newest first: every one ended since 2018-2019. */
export const lockableYears = (today: string): readonly { readonly value: string; readonly label: string }[] => {
  const last = Number(financialYearOf(today).start.slice(0, 4)) - 1;
  return Array.from({ length: Math.max(0, last - 2018 + 1) }, (_, back) => {
    const start = last - back;
    return { value: `${start + 1}-03-31`, label: `${start}-${start + 1}` };
  });
};
