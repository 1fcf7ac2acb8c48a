import { Link } from "@tanstack/react-router";
import { useTitle } from "./useTitle";

export function NotFound() {
  useTitle("No such page");
  return (
    <main className="page-problem">
      <h1>There is no such page.</h1>
      <p>
        <Link to="/" search={{}}>
          Go to the workbench
        </Link>
      </p>
    </main>
  );
}
