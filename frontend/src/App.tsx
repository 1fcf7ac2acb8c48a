import { useEffect, useState } from "react";
import { useAnswer } from "./answer";
import { CATALOG, fetchCatalog, parse, predict } from "./api";
import { ClassBars } from "./components/ClassBars";
import { Panel } from "./components/Panel";
import { ParseTree } from "./components/ParseTree";
import { Sentence } from "./components/Sentence";

const EXAMPLE = "The music is lovely, but the film is not heartwarming or entertaining.";

type Question = { text: string; model: string };

export function App() {
  const catalog = useAnswer(CATALOG, fetchCatalog);
  const models = catalog.state === "here" ? catalog.value.models : [];
  const [text, setText] = useState(EXAMPLE);
  const [chosen, setChosen] = useState("");
  const [asked, setAsked] = useState<Question>();
  const model = chosen || (models[0]?.name ?? "");

  // The page opens with an example already answered.
  useEffect(() => {
    if (model !== "") setAsked((before) => before ?? { text: EXAMPLE, model });
  }, [model]);

  const prediction = useAnswer(asked, predict);
  const tree = useAnswer(asked, parse);

  return (
    <>
      <header>
        <h1>Espalier</h1>
        <nav>
          <a href="/docs">API</a>
        </nav>
      </header>
      <main>
        {catalog.state === "failed" && (
          <p className="card problem" role="alert">
            {catalog.problem}
          </p>
        )}
        <Sentence
          text={text}
          onText={setText}
          models={models}
          model={model}
          onModel={(name) => {
            setChosen(name);
            setAsked({ text, model: name });
          }}
          onAsk={() => setAsked({ text, model })}
        />
        {asked && (
          <>
            <Panel title="Prediction" answer={prediction}>
              {({ label, classes }) => (
                <>
                  <p className="finding">
                    The model says <strong>{label}</strong> of <q>{asked.text.trim()}</q>
                  </p>
                  <ClassBars classes={classes} />
                </>
              )}
            </Panel>
            <Panel title="Parse" answer={tree}>
              {(value) => <ParseTree tree={value} />}
            </Panel>
          </>
        )}
      </main>
    </>
  );
}
