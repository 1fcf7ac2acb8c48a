import { useTheme } from "../state/theme";
import { Icon } from "./Icon";

export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      className="quiet-button icon-button"
      onClick={() => choose(other)}
      title={`Switch to ${other}`}
    >
      <Icon name={theme === "dark" ? "sun" : "moon"} />
      <span className="unseen">Switch to {other}</span>
    </button>
  );
}
