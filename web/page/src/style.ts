// Styles in their order: colours that all pages of Cassius share, the board's, the page's own.
import "../../../src/web/base.css";
import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.cburnett.css";
import "./page.css";
