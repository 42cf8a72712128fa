/** Takes pictures of every page, light, dark and narrow, of a Fairway with something in it: `node scripts/ui/take-screenshots.ts FOLDER [NAME…]`. For people to look at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startUiStage, type UiStage } from '../../test/ui/support/ui-stage.ts';
import { fillApplicationSets } from './fill-application-sets.ts';
import { fillSettings } from './fill-settings.ts';
import { fillShop } from './fill-shop.ts';
import { PICTURES, type Picture } from './pictures.ts';

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', size: { width: 400, height: 800 } },
} as const;

/** Runs in the page: what the folders of this machine are called is nobody's business. Then two frames, so that all is drawn. */
const TIDY = String.raw`(() => {
  const tidy = (text) => text.replace(/(file:\/\/)?\/tmp\/git-repository-\w+/g, 'git.example/shop/deploy');
  const shadows = Array.from(document.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot ?? []).flat();
  for (const root of [document.body, ...shadows]) {
    // An editor puts back what others change in it; a copy of it does not.
    for (const editor of root.querySelectorAll('.cm-editor')) editor.replaceWith(editor.cloneNode(true));
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) walker.currentNode.data = tidy(walker.currentNode.data);
  }
  for (const input of document.querySelectorAll('input')) if (input.value.includes('/tmp/')) input.value = tidy(input.value);
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;

const [, , folder = '', ...names] = process.argv;
if (folder === '') throw new Error('name a folder for the pictures');
mkdirSync(folder, { recursive: true });
const stage = await startUiStage();
try {
  await fillShop(stage);
  await fillSettings(stage);
  await fillApplicationSets(stage);
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[])
    for (const picture of wanted)
      // One that cannot be taken must not keep the others from being taken.
      await take(stage, picture, look).catch((error: unknown) => {
        process.stderr.write(`${picture.name}, ${look}: ${String(error)}\n`);
        process.exitCode = 1;
      });
} finally {
  await stage.close();
}

async function take(place: UiStage, { name, path, ready, before, isSignedOut }: Picture, look: keyof typeof LOOKS): Promise<void> {
  const address = typeof path === 'string' ? path : path(place);
  const { page, close } = isSignedOut ? await place.open(LOOKS[look]) : await place.openSignedIn(address, LOOKS[look]);
  try {
    if (isSignedOut) await page.goto(address);
    await page.getByText(ready).first().waitFor();
    await before?.(page);
    await page.evaluate(TIDY);
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: 'disabled' });
  } finally {
    await close();
  }
}
