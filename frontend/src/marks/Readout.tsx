export type Fact = { readonly name: string; readonly value: string };

/**
 * What a picture says about the words pointed at, in numbers: under every picture at once, for the pointer and the
 * keyboard alike. With nothing pointed at, how to come by them.
 */
export function Readout({
  subject,
  facts,
  hint,
}: {
  subject: string | null;
  facts: readonly Fact[];
  hint: string;
}) {
  return (
    <div className="readout">
      {subject === null ? (
        <span>{hint}</span>
      ) : (
        <>
          <b>
            <bdi>{subject}</bdi>
          </b>
          <dl>
            {facts.map((fact) => (
              <div key={fact.name}>
                <dt>{fact.name}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  );
}
