import { Popover } from "radix-ui";
import { type ReactNode, useState } from "react";
import { buttonLook } from "./Button";
import { Icon, type IconName } from "./Icon";

interface Props {
  label: string;
  icon?: IconName;
  /** Whether the label is read only by those who do not see the icon. */
  iconOnly?: boolean;
  wide?: boolean;
  /** What is on the sheet; a function is given the way to close it, for where a choice is all that is wanted. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A small sheet that opens beside its button. */
export function Panel({ label, icon, iconOnly = false, wide, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className={buttonLook(iconOnly ? { kind: "quiet", icon: true } : {})}
        title={iconOnly ? label : undefined}
      >
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
          {typeof children === "function" ? children(() => setOpen(false)) : children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
