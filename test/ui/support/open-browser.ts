import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { ensureChromiumShell } from './find-chromium.ts';

/** What a person waits for at most, on a busy machine. */
const PATIENCE_MS = 15_000;

export interface PersonOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** Reaches the server by another way than its own address. */
  readonly through?: string;
}

/** One person's window: their own cookies, and a list of what went wrong in it. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails if the page broke the content security policy, wrote an error to the console or threw. Each story ends with it. */
  readonly expectNoTrouble: () => void;
  /** Troubles like this are part of the story. */
  readonly allow: (pattern: RegExp) => void;
  readonly close: () => Promise<void>;
}

export interface StoryBrowser {
  open(options?: PersonOptions): Promise<Person>;
  close(): Promise<void>;
}

/** One browser for a file of stories. */
export async function openBrowser(baseUrl: string): Promise<StoryBrowser> {
  const browser = await chromium.launch({ executablePath: await ensureChromiumShell(), args: ['--no-sandbox', '--disable-gpu'] });
  return {
    open: (options = {}) => openPerson(browser, baseUrl, options),
    close: () => browser.close(),
  };
}

async function openPerson(browser: Browser, baseURL: string, { colorScheme = 'light', size, through }: PersonOptions): Promise<Person> {
  const context = await browser.newContext({
    baseURL: through ?? baseURL,
    colorScheme,
    viewport: size ?? { width: 1280, height: 800 },
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  // Browsers write every refusal of a server to the console; to be asked to sign in is no trouble.
  const allowed: RegExp[] = [/status of 401/];
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(`${error.name}: ${error.message}`));
  return {
    page,
    context,
    expectNoTrouble: () => expect(troubles.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]),
    allow: (pattern) => allowed.push(pattern),
    close: () => context.close(),
  };
}
