import { Link } from "@tanstack/react-router";

export function NotFound() {
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
