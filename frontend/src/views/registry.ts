/** Which view draws what. */
import type { Explanation } from "../explanation";
import { registered, type ViewName } from "./registered";
import tokens from "./tokens";
import type { View } from "./view";

export type { ViewName } from "./registered";

export type RegisteredView = View<ViewName>;

export const views: readonly RegisteredView[] = registered;

/** Names of views in the order the workbench shows them. */
export const VIEW_NAMES: readonly ViewName[] = views.map(({ name }) => name);

/** The methods a view opens with. */
export const USUAL_METHODS = Object.fromEntries(views.map(({ name, usual }) => [name, usual])) as Record<
  ViewName,
  string
>;

/**
 * What draws an explanation where a view shows it: the view itself, or the bars. They draw the reading that every
 * result has, so a method from elsewhere need not bring a picture.
 */
export function drawnBy(view: View, explanation: Explanation): View {
  return view.draws(explanation) ? view : tokens;
}

/** The view of a method: the one it names, or the bars where nobody here knows that one. */
export function viewOf(method: { view: string }): RegisteredView {
  return views.find(({ name }) => name === method.view) ?? tokens;
}
