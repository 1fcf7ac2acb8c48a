import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./routes";
import { answered, pauseAfter } from "./service/problem";
import { applyTheme } from "./state/theme";
import "./style/index.css";

applyTheme();

// What the server refused it would refuse again; silence is worth another try, as long as someone waits.
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_, error) => !answered(error),
      retryDelay: pauseAfter,
      refetchOnWindowFocus: false,
    },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
