import { useState } from "react";
import { client } from "../client/client.gen";
import { Button } from "../controls/Button";

/** The cookie beside the hidden one of the sign-in (backend/espalier/api/access/sign_in.py). */
const SIGNED_IN = /(?:^|;\s*)espalier_signed_in=yes(?:;|$)/;

/** For who entered a key; a server that asks for none shows nothing here. */
export function SignOut() {
  const [state, setState] = useState<"in" | "leaving" | "failed">("in");
  if (!SIGNED_IN.test(document.cookie)) return null;
  return (
    <>
      {state === "failed" && <span role="alert">Not signed out: the server does not answer.</span>}
      <Button
        kind="quiet"
        className="sign-out"
        disabled={state === "leaving"}
        onClick={() => leave(setState)}
      >
        Sign out
      </Button>
    </>
  );
}

// Not a form: our pages send no referrer, and a browser then keeps the origin of a form to itself, which is asked for.
async function leave(tell: (state: "leaving" | "failed") => void): Promise<void> {
  tell("leaving");
  try {
    await client.post({ url: "/sign-out", throwOnError: true });
    window.location.assign("/sign-in");
  } catch {
    tell("failed");
  }
}
