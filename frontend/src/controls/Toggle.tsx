import { Button } from "./Button";
import { Icon, type IconName } from "./Icon";

interface Props {
  label: string;
  icon: IconName;
  pressed: boolean;
  onPress(on: boolean): void;
}

/** A button that stays pressed. */
export function Toggle({ label, icon, pressed, onPress }: Props) {
  return (
    <Button kind="quiet" icon aria-pressed={pressed} title={label} onClick={() => onPress(!pressed)}>
      <Icon name={icon} />
      <span className="unseen">{label}</span>
    </Button>
  );
}
