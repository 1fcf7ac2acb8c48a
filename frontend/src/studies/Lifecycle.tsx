import { useNavigate } from "@tanstack/react-router";
import { AlertDialog } from "radix-ui";
import { Button, buttonLook } from "../controls/Button";
import type { useActions } from "./api";
import type { StudyDocument } from "./documents";

export type Actions = ReturnType<typeof useActions>;

/** What can be done with a study now: publish, pause, go on, close, delete. */
export function Lifecycle({ study, actions }: { study: StudyDocument; actions: Actions }) {
  const { move, destroy } = actions;
  const navigate = useNavigate();
  const { status } = study;
  return (
    <div className="actions">
      {status === "failed" && (
        <Button kind="strong" size="medium" disabled={move.isPending} onClick={() => move.mutate("prepare")}>
          Try again
        </Button>
      )}
      {(status === "ready" || status === "paused") && (
        <Button kind="strong" size="medium" disabled={move.isPending} onClick={() => move.mutate("publish")}>
          {status === "ready" ? "Publish" : "Go on"}
        </Button>
      )}
      {status === "published" && (
        <Button size="medium" disabled={move.isPending} onClick={() => move.mutate("pause")}>
          Pause
        </Button>
      )}
      {(status === "published" || status === "paused") && (
        <Confirmed
          label="Close"
          title="Close this study?"
          says="It then takes no more answers, for good. Everything collected so far is kept."
          onConfirm={() => move.mutate("close")}
        />
      )}
      <Confirmed
        label="Delete"
        title="Delete this study and all its data?"
        says="Items, people, answers and results are removed from the server and cannot be brought back. Export first what you want to keep."
        onConfirm={() => destroy.mutate(undefined, { onSuccess: () => navigate({ to: "/studies" }) })}
      />
    </div>
  );
}

type ConfirmedProps = { label: string; title: string; says: string; onConfirm: () => void };

/** A button that asks once more. */
function Confirmed({ label, title, says, onConfirm }: ConfirmedProps) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className={buttonLook({ size: "medium" })}>{label}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="studies-veil" />
        <AlertDialog.Content className="studies-dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description>{says}</AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Cancel className={buttonLook({ size: "medium" })}>
              Keep it as it is
            </AlertDialog.Cancel>
            <AlertDialog.Action
              className={buttonLook({ kind: "strong", size: "medium" })}
              onClick={onConfirm}
            >
              {label}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
