import { CopyButton } from "../controls/CopyButton";

/** A run in words. */
export function Paragraph({ text }: { text: string }) {
  return (
    <section className="card" aria-labelledby="paragraph">
      <div className="card-head">
        <h2 id="paragraph">For a paper</h2>
        <CopyButton text={text} />
      </div>
      <p className="paragraph">{text}</p>
    </section>
  );
}
