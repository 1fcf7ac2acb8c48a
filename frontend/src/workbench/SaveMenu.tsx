import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { buttonLook } from "../controls/Button";
import { Icon } from "../controls/Icon";
import { caption, fileName } from "../share/caption";
import { csv } from "../share/csv";
import { readingTable } from "../share/readingTable";
import { save } from "../share/save";
import { png } from "../share/svg";
import type { ViewName } from "../views/registry";
import { type Shown, useExhibits } from "./exhibits";

type Format = "SVG" | "PNG" | "CSV" | "JSON" | "figure";

const FORMATS: { format: Format; title: string; note: string }[] = [
  { format: "SVG", title: "SVG", note: "The picture, sharp at every size" },
  { format: "PNG", title: "PNG", note: "The picture, for slides" },
  { format: "CSV", title: "CSV", note: "The numbers as a table" },
  { format: "JSON", title: "JSON", note: "Everything, as the server sent it" },
  { format: "figure", title: "Copy as figure", note: "Picture and caption, ready to cite" },
];

/** A picture to take away, or as many as stand side by side. */
export function SaveMenu({ view, places }: { view: ViewName; places: number }) {
  const exhibits = useExhibits();
  const [said, setSaid] = useState("");
  const take = async (format: Format) => {
    for (let place = 0; place < places; place++) {
      const shown = exhibits.at(`${view}-${place}`);
      if (shown) setSaid(await export_(shown, format));
    }
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={buttonLook({ kind: "quiet", icon: true })} title="Save">
        <Icon name="save" />
        <span className="unseen">Save {view}</span>
      </DropdownMenu.Trigger>
      <span className="unseen" role="status">
        {said}
      </span>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={12}>
          {FORMATS.map(({ format, title, note }) => (
            <DropdownMenu.Item key={format} className="menu-item" onSelect={() => void take(format)}>
              <span className="menu-title">{title}</span>
              <span className="menu-note">{note}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

async function export_(shown: Shown, format: Format): Promise<string> {
  const headline = shown.explanation.finding ?? "";
  const words = caption(shown, new Date());
  switch (format) {
    case "SVG":
      save(fileName(shown, ".svg"), shown.draw({ headline, caption: words }), "image/svg+xml");
      return "Saved as SVG.";
    case "PNG":
      save(fileName(shown, ".png"), await png(shown.draw({ headline, caption: words })));
      return "Saved as PNG.";
    case "CSV":
      save(fileName(shown, ".csv"), csv(readingTable(shown.explanation)), "text/csv");
      return "Saved as CSV.";
    case "JSON":
      save(fileName(shown, ".json"), JSON.stringify(shown.explanation, null, 2), "application/json");
      return "Saved as JSON.";
    case "figure":
      return copyFigure(shown, words);
  }
}

/** Picture and caption in the clipboard; saved as a file where a browser has no such clipboard. */
async function copyFigure(shown: Shown, words: string): Promise<string> {
  const picture = shown.draw({});
  try {
    await navigator.clipboard.write([
      new ClipboardItem({
        "image/png": png(picture),
        "text/plain": new Blob([words], { type: "text/plain" }),
      }),
    ]);
    return "Copied with its caption.";
  } catch {
    save(fileName(shown, ".png"), await png(shown.draw({ caption: words })));
    return "This browser cannot copy pictures; saved with its caption instead.";
  }
}
