import { Button } from "../controls/Button";
import { Icon } from "../controls/Icon";
import { useTheme } from "../state/theme";

export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <Button kind="quiet" icon onClick={() => choose(other)} title={`Switch to ${other}`}>
      <Icon name={theme === "dark" ? "sun" : "moon"} />
      <span className="unseen">Switch to {other}</span>
    </Button>
  );
}
