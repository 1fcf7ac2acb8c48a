import type { Coherence } from "../documents";
import { type Interval, IntervalPlot } from "./IntervalPlot";

const asRow = (name: string, { coherent }: Coherence): Interval => ({
  name,
  count: coherent.count,
  total: coherent.of,
  share: coherent.share,
  low: coherent.low,
  high: coherent.high,
});

/** Coherence by method, by model, and for each pair of them where there are several of both. */
export function CoherencePlots({ coherence, chance }: { coherence: Coherence[]; chance: number }) {
  const models = unique(coherence.map((entry) => entry.model));
  const methods = unique(coherence.map((entry) => entry.method));
  const find = (model: string | null, method: string | null) =>
    coherence.find((entry) => entry.model === model && entry.method === method);
  const rows = (names: string[], entry: (name: string) => Coherence | undefined) =>
    names.flatMap((name) => {
      const found = entry(name);
      return found ? [asRow(name, found)] : [];
    });
  const [onlyModel] = models;
  const [onlyMethod] = methods;
  return (
    <>
      {methods.length > 1 && (
        <IntervalPlot
          caption={models.length > 1 ? "By method, all models together" : "By method"}
          heading="Method"
          counted="Coherent"
          chance={chance}
          rows={rows(methods, (method) => find(models.length > 1 ? null : (onlyModel ?? null), method))}
        />
      )}
      {models.length > 1 && (
        <IntervalPlot
          caption={methods.length > 1 ? "By model, all methods together" : "By model"}
          heading="Model"
          counted="Coherent"
          chance={chance}
          rows={rows(models, (model) => find(model, methods.length > 1 ? null : (onlyMethod ?? null)))}
        />
      )}
      {models.length > 1 &&
        methods.length > 1 &&
        models.map((model) => (
          <IntervalPlot
            key={model}
            caption={`Methods on ${model}`}
            heading="Method"
            counted="Coherent"
            chance={chance}
            rows={rows(methods, (method) => find(model, method))}
          />
        ))}
      {models.length === 1 && methods.length === 1 && (
        <IntervalPlot
          caption={`${onlyMethod} on ${onlyModel}`}
          heading="Method"
          counted="Coherent"
          chance={chance}
          rows={rows(methods, (method) => find(onlyModel ?? null, method))}
        />
      )}
    </>
  );
}

const unique = (names: (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))];
