/**
 * What the server's own pictures and findings use, too: colours, forms of numbers, thresholds, names. One file for both
 * languages, part of the page when it is built; `backend/espalier/shared/__init__.py` says what each entry means.
 */
import appearance from "../../backend/espalier/shared/appearance.json";

export default appearance;
