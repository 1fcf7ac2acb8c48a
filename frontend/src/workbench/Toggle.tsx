import { Icon, type IconName } from "../shell/Icon";

interface Props {
  label: string;
  icon: IconName;
  pressed: boolean;
  onPress(on: boolean): void;
}

/** A button that stays pressed. */
export function Toggle({ label, icon, pressed, onPress }: Props) {
  return (
    <button
      type="button"
      className="quiet-button icon-button"
      aria-pressed={pressed}
      title={label}
      onClick={() => onPress(!pressed)}
    >
      <Icon name={icon} />
      <span className="unseen">{label}</span>
    </button>
  );
}
