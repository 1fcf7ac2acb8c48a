import { Button } from "../controls/Button";
import type { Catalog } from "../service/catalog";

interface Props {
  catalog: Catalog | undefined;
  model: string;
  onModel(model: string): void;
}

/** Models of the same classes that read longer texts than this one. */
export function LongerReaders({ catalog, model, onModel }: Props) {
  const chosen = catalog?.models.find(({ name }) => name === model);
  const classes = JSON.stringify(chosen?.classes);
  const able = catalog?.models.filter(
    (other) =>
      chosen?.classes != null &&
      JSON.stringify(other.classes) === classes &&
      (other.max_length ?? 0) > (chosen.max_length ?? 0),
  );
  if (!able || able.length === 0) return null;
  return (
    <div className="problem-ways">
      {able.map(({ name, title, max_length }) => (
        <Button key={name} onClick={() => onModel(name)}>
          {title} reads {max_length?.toLocaleString("en")} words
        </Button>
      ))}
    </div>
  );
}
