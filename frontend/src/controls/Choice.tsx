import { DropdownMenu } from "radix-ui";
import { buttonLook } from "./Button";
import { Icon } from "./Icon";

export interface Option {
  value: string;
  title: string;
  note?: string;
}

interface Props {
  /** What is chosen, said to those who do not see the page's layout: "Model". */
  label: string;
  value: string;
  options: readonly Option[];
  onChoose(value: string): void;
  className?: string;
}

/** A choice of one, each with a line that says what it means. */
export function Choice({ label, value, options, onChoose, className = buttonLook() }: Props) {
  const chosen = options.find((option) => option.value === value);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={className} disabled={options.length === 0}>
        <span className="unseen">{label}: </span>
        <span className="chosen">{chosen?.title ?? value}</span>
        <Icon name="down" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
            {options.map((option) => (
              <DropdownMenu.RadioItem key={option.value} value={option.value} className="menu-item">
                <span className="menu-title">{option.title}</span>
                {option.note && <span className="menu-note">{option.note}</span>}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
