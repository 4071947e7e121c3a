import { useEffect, useRef } from 'react';
import { Button } from '../../kit/Button.tsx';
import { inSentence } from '../../kit/format.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { t } from '../../kit/text.ts';
import type { Step } from './next.ts';

/** What can follow a document: the next logical step as the primary button (Ctrl Enter), the others in a list of buttons. */
export function Onward({
  primary,
  others,
  onGo,
}: {
  readonly primary: Step | undefined;
  readonly others: readonly Step[];
  onGo(kind: string): void;
}) {
  const list = useRef<HTMLDetailsElement>(null);
  useKeys({
    ...(primary && { 'ctrl+enter': () => onGo(primary.kind) }),
    ...(others.length > 0 && {
      'alt+o': () => {
        if (!list.current) return;
        list.current.open = true;
        list.current.querySelector<HTMLElement>('.onward-list button')?.focus();
      },
    }),
  });
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (list.current?.open && target instanceof Node && !list.current.contains(target)) list.current.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, []);
  return (
    <>
      {others.length > 0 && (
        <details
          ref={list}
          className="onward"
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by && list.current) {
              event.preventDefault();
              list.current.open = true;
              const all = [...list.current.querySelectorAll<HTMLElement>('.onward-list button')];
              const at = all.indexOf(document.activeElement as HTMLElement);
              all[at < 0 && by < 0 ? all.length - 1 : (at + by + all.length) % all.length]?.focus();
              return;
            }
            if (event.key !== 'Escape' || !list.current?.open) return;
            event.stopPropagation();
            list.current.open = false;
            list.current.querySelector('summary')?.focus();
          }}
        >
          <summary className="button" data-look="default" title={t('Alt O')}>
            {t('Continue as')}
          </summary>
          <div className="onward-list">
            {others.map(({ label, kind }) => (
              <Button key={kind} look="subtle" onClick={() => onGo(kind)}>
                {t(label)}
              </Button>
            ))}
          </div>
        </details>
      )}
      {primary && (
        <Button look="primary" title={t('Ctrl Enter')} onClick={() => onGo(primary.kind)}>
          {t('Make {{label}}', { label: inSentence(t(primary.label)) })}
        </Button>
      )}
    </>
  );
}
