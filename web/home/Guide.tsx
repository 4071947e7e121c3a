import { IconCircle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type GuideStepName, guideStep } from '../../contract/guide.ts';
import { importableOf } from '../../contract/importable.ts';
import { placeOf, type ScreenName } from '../../contract/screens.ts';
import { useImportable } from '../imports/useImportable.ts';
import { Button } from '../kit/Button.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { type Address, ScreenLink } from '../kit/navigation.tsx';
import { ErrorPanel, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useMayOpen, useMayWrite, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import '../views/views.css';
import './home.css';

type SetUp = Awaited<ReturnType<typeof api.GetSetUp>>;
type State = SetUp['steps'][number]['state'];
interface Target {
  readonly screen: ScreenName;
  readonly query: Address;
}

const icons = { open: IconCircle, done: IconCircleCheck, skipped: IconCircleMinus } as const;
const stateWords = { open: 'To do', done: 'Done', skipped: 'Skipped' } as const satisfies Record<State, string>;

/** Where a step is done; undefined while there is nothing to do it with. */
const targetOf = (name: GuideStepName, { sale }: SetUp): Target | undefined => {
  const { opens } = guideStep(name);
  if (typeof opens !== 'string') return { screen: opens.screen, query: opens.query ?? {} };
  if (opens !== 'lastSale') return placeOf(opens, 'documentEditor');
  const place = sale && placeOf(sale.kind, 'documentView');
  return place ? { screen: place.screen, query: { ...place.query, id: sale.id } } : undefined;
};

const useSetUp = () => {
  const mayOpen = useMayOpen();
  const maySkip = useMayWrite('Orgedit');
  const query = useQuery({
    queryKey: useScreenKey('setUp'),
    queryFn: () => api.GetSetUp({}),
    enabled: maySkip,
    refetchOnMount: 'always',
  });
  const { data } = query;
  const steps = (data?.steps ?? []).filter(({ step }) => {
    const target = data && targetOf(step, data);
    return !target || mayOpen(target.screen);
  });
  return { ...query, steps, left: steps.filter(({ state }) => state === 'open') };
};

/** The first steps as a screen of their own: all of them, also when nothing is left to do. */
export function Guide() {
  const { data, error, refetch, steps, left } = useSetUp();
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Page narrow>
      <PageHead title={t('First steps')} count={progressOf(steps.length - left.length, steps.length)} />
      <Panel>
        <Steps steps={steps} setUp={data} />
      </Panel>
    </Page>
  );
}

/** What comes next, on the first screen, until everything is done or skipped. Shown to those who set the organisation up. */
export function NextSteps() {
  const { data, steps, left } = useSetUp();
  if (!data || left.length === 0) return null;
  const done = steps.length - left.length;
  return (
    <Panel title={t('First steps')} actions={<ScreenLink screen="First Steps">{t('All steps')}</ScreenLink>}>
      <div className="guide-progress">
        <progress max={steps.length} value={done} aria-label={t('First steps')} />
        <span>{progressOf(done, steps.length)}</span>
      </div>
      <Steps steps={left.slice(0, AT_ONCE)} setUp={data} />
    </Panel>
  );
}
const AT_ONCE = 4;

const progressOf = (done: number, of: number): string => t('{{done}} of {{of}} done', { done, of });

function Steps({ steps, setUp }: { readonly steps: SetUp['steps']; readonly setUp: SetUp }) {
  return (
    <ol className="guide">
      {steps.map(({ step, state }) => (
        <Step key={step} name={step} state={state} target={targetOf(step, setUp)} />
      ))}
    </ol>
  );
}

interface StepProps {
  readonly name: GuideStepName;
  readonly state: State;
  readonly target: Target | undefined;
}

function Step({ name, state, target }: StepProps) {
  const { label, why, done, imports = [] } = guideStep(name);
  const { busy, run } = useRun(toastError);
  const importable = useImportable();
  const mark = (wanted: 'skipped' | 'done' | null) => run(() => api.MarkSetUpStep({ step: name, mark: wanted }));
  const Icon = icons[state];
  const files = state === 'open' ? imports.filter((one) => importable.includes(one)) : [];
  return (
    <li data-state={state}>
      <Icon size={20} aria-hidden />
      <div className="guide-text">
        <strong>{t(label)}</strong> <span className="hidden-text">({t(stateWords[state])})</span>
        <p>{t(why)}</p>
      </div>
      <div className="guide-actions">
        {files.map((one) => (
          <ScreenLink key={one} screen="FileImportNew" query={{ master: one }}>
            {files.length > 1 ? t('Import {{label}}', { label: t(importableOf(one)?.plural) }) : t('Import')}
          </ScreenLink>
        ))}
        {state === 'open' && (
          <Button look="subtle" busy={busy} onClick={() => void mark('skipped')} aria-label={skipOf(label)}>
            {t('Skip')}
          </Button>
        )}
        {state === 'skipped' && (
          <Button look="subtle" busy={busy} onClick={() => void mark(null)}>
            {t('Take up again')}
          </Button>
        )}
        {state !== 'skipped' && target && (
          <Link
            className="button"
            data-look={state === 'open' ? 'default' : 'subtle'}
            to="/layout/$"
            params={{ _splat: target.screen }}
            search={target.query}
            {...(done === 'opened' && state === 'open' && { onClick: () => void mark('done') })}
          >
            <span className="button-text">{state === 'open' ? t('Start') : t('Open')}</span>
            <span className="hidden-text">: {t(label)}</span>
          </Link>
        )}
        {state === 'open' && !target && <span className="muted">{t('After the first invoice')}</span>}
      </div>
    </li>
  );
}
const skipOf = (label: string): string => t('Skip: {{label}}', { label: t(label) });
