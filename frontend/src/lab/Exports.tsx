import type { ReactNode } from "react";
import { Button } from "../controls/Button";
import { save } from "../share/save";
import { standaloneSvg } from "../share/svg";
import { Files } from "./Files";
import { type Report, report } from "./report";

/** Everything to take along of a run: what the server writes, and the page as one file. */
export function Exports({ of, made, children }: { of: string; made(): Report; children?: ReactNode }) {
  const page = () => {
    const pictures = [...document.querySelectorAll<SVGSVGElement>(".curve-figure svg, svg.dots")].map((svg) =>
      standaloneSvg(svg, { title: svg.getAttribute("aria-label") ?? "" }),
    );
    const said = made();
    const taken = { pictures, link: window.location.href, date: new Date() };
    save(`${said.title}.html`, report(said, taken), "text/html");
  };
  return (
    <section className="card" aria-labelledby="export">
      <h2 id="export">Take home</h2>
      <div className="actions exports">
        <Files of={of} />
        {children}
        <Button onClick={page}>Report, HTML</Button>
      </div>
    </section>
  );
}
