import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../shell/Icon";

interface Props {
  label: string;
  icon?: IconName;
  /** Whether the label is read only by those who do not see the icon. */
  iconOnly?: boolean;
  className?: string;
  wide?: boolean;
  children: ReactNode;
}

/** A small sheet that opens beside its button. */
export function Panel({ label, icon, iconOnly, className = "quiet-button", wide, children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger className={className} title={iconOnly ? label : undefined}>
        {icon && <Icon name={icon} />}
        <span className={iconOnly ? "unseen" : undefined}>{label}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={wide ? "popover wide" : "popover"}
          sideOffset={6}
          align="end"
          collisionPadding={12}
          aria-label={label}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
