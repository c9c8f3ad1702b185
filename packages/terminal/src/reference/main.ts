// The script of the API reference, which the service puts into each of its pages. The pages can be read without it: it fills in the
// address of the service, adds copy buttons and the choice of the language, follows links of errors, searches, and sends requests.
import { addCopyButtons, collapseContents, fillOrigins, followErrorLink, offerLanguages } from './page-tools.ts';
import { startSearch } from './search-box.ts';
import { startTrying } from './try-it.ts';

followErrorLink();
fillOrigins();
collapseContents();
offerLanguages();
addCopyButtons();
startSearch();
startTrying();
