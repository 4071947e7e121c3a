import type { ComponentPropsWithRef, ReactNode } from 'react';

export type Look = 'primary' | 'default' | 'subtle' | 'danger' | 'danger-filled';

/**
 * A verb and a thing. `busy` keeps the width and the focus, shows a spinner, takes no press and says so: a press that waited
 * would post twice, or do what it says to something else than was seen. One `primary` a screen.
 */
export function Button({
  look = 'default',
  busy = false,
  icon,
  children,
  onClick,
  ...rest
}: ComponentPropsWithRef<'button'> & {
  readonly look?: Look;
  readonly busy?: boolean;
  readonly icon?: ReactNode;
}) {
  return (
    <button
      type="button"
      {...rest}
      className="button"
      data-look={look}
      aria-busy={busy}
      {...(busy && { 'aria-disabled': true })}
      {...(onClick ? { onClick: (event) => !busy && onClick(event) } : {})}
    >
      <span className="button-text">
        {icon}
        {children}
      </span>
    </button>
  );
}

/** A button that is only an icon; `label` is its name and its tooltip. */
export function IconButton({ label, children, ...rest }: ComponentPropsWithRef<'button'> & { readonly label: string }) {
  return (
    <button type="button" {...rest} className="icon-button" aria-label={label} title={label}>
      {children}
    </button>
  );
}
