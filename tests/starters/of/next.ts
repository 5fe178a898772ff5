import type { Starter } from "../starter.js"

export const next: Starter = {
  id: "next",
  create: ["npx", "create-next-app@16.4.3", "app", "--yes", "--disable-git", "--skip-install"],
  guide: { page: "nextjs", sections: ["Get started", "Protect pages", "In the proxy", "With a button"] },
  basePath: "/api/auth",
  types: ["npx", "tsc", "--noEmit"],
  build: ["npm", "run", "build"],
  start: ["npm", "start", "--", "--port", "{port}"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}"],
  // The starter's layout has two fonts of Google.
  instead: { NEXT_FONT_GOOGLE_MOCKED_RESPONSES: new URL("../fonts.cjs", import.meta.url).pathname },
  visit: { account: "/orders", pages: true },
  init: {
    except: ["app/orders/page.tsx"],
    visit: { account: "/account", pages: true, signOut: { path: "/account", button: /Sign out/ } },
  },
  signInPage: { guide: { page: "components", sections: [""] }, path: "/sign-in" },
}
