import { allows } from '../../contract/levels.ts';
import { financialYearOf, quarterOf } from '../../domain/base/dates.ts';
import { type Withholding, withholdings } from '../../domain/facts/deposits.ts';
import { SelectField } from '../kit/fields/fields.tsx';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import { Page, PageHead, Segments, Tabs } from '../kit/parts.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { useMayOpen, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { Certificates } from './Certificates.tsx';
import { Challans } from './Challans.tsx';
import { DueMonths } from './DueMonths.tsx';
import { words, yearsBefore } from './tax.ts';
import '../views/views.css';

const tabs = [
  { key: 'due', label: 'By month' },
  { key: 'challans', label: 'Challans' },
  { key: 'certificates', label: 'Certificates' },
] as const;

/** Tax deducted and collected on its way to the government: what is due, the challans that paid it, and who gets a certificate. */
export function TaxWithheld() {
  const { today, grants } = useSession();
  const address = useAddress();
  const go = useGo();
  const mayOpen = useMayOpen();
  const tax: Withholding = address['tax'] === 'tcs' ? 'tcs' : 'tds';
  const tab = tabs.find(({ key }) => key === address['tab'])?.key ?? 'due';
  const current = financialYearOf(today).label;
  const year = /^\d{4}-\d{2}$/.test(address['year'] ?? '') ? (address['year'] ?? current) : current;
  const typed = Number(address['quarter']);
  const quarter = typed >= 1 && typed <= 4 ? typed : quarterOf(today).number;
  const level = grants['CashBankList'] ?? 0;
  const mayWrite = allows(level, 'write');
  const change = (patch: Readonly<Record<string, string>>) =>
    go('Tax Withheld', { tax, tab, year, quarter: String(quarter), ...patch }, true);
  const years = yearsBefore(today);
  return (
    <Page>
      <PageHead
        title={t('TDS and TCS')}
        actions={
          <Segments
            label={t('Which tax')}
            choices={withholdings.map((key) => ({ key, label: words[key].short }))}
            current={tax}
            onChange={(key) => change({ tax: key })}
          />
        }
      />
      <div className="fields">
        <SelectField
          label={t('Financial year')}
          value={year}
          choices={(years.includes(year) ? years : [...years, year]).map((value) => ({ value, label: value }))}
          onChange={(value) => change({ year: value })}
        />
        {tab === 'certificates' && (
          <SelectField
            label={t('Quarter')}
            value={String(quarter)}
            choices={quarters}
            onChange={(value) => change({ quarter: value })}
          />
        )}
      </div>
      <Tabs label={t('TDS and TCS')} tabs={tabs} current={tab} onChange={(key) => change({ tab: key })}>
        <div className="stack">
          {tab === 'due' && <DueMonths key={tax} tax={tax} year={year} mayWrite={mayWrite} />}
          {tab === 'challans' && <Challans tax={tax} year={year} mayWrite={mayWrite} />}
          {tab === 'certificates' && <Certificates tax={tax} year={year} quarter={quarter} mayWrite={mayWrite} />}
        </div>
      </Tabs>
      {mayOpen('TDS Report') && (
        <p className="muted">
          <Sentence
            text="Reports: {{tax}}, {{quarter}}"
            values={{
              tax: (
                <ScreenLink screen="TDS Report" query={{ report: tax === 'tds' ? 'tdsDeducted' : 'tcsCollected' }}>
                  {tax === 'tds' ? t('TDS deducted') : t('TCS collected')}
                </ScreenLink>
              ),
              quarter: (
                <ScreenLink screen="TDS Report" query={{ report: 'taxStatement', tax, ...daysOf(year, quarter) }}>
                  {t('Quarterly statement of Q{{quarter}}', { quarter })}
                </ScreenLink>
              ),
            }}
          />
        </p>
      )}
    </Page>
  );
}

const quarters = ['Q1, April to June', 'Q2, July to September', 'Q3, October to December', 'Q4, January to March'].map(
  (label, at) => ({ value: String(at + 1), label }),
);

const daysOf = (year: string, quarter: number): Readonly<Record<'from' | 'to', string>> => {
  const month = ['04', '07', '10', '01'][quarter - 1] ?? '04';
  const { start, end } = quarterOf(`${Number(year.slice(0, 4)) + (quarter === 4 ? 1 : 0)}-${month}-01`);
  return { from: start, to: end };
};
