/** An application of Qwik 1 with @auth/qwik: credentials, fields of its own in the session, and forms. */
export const authQwik: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "library",
  "private": true,
  "type": "module",
  "scripts": { "build": "vite build && vite build --config vite.server.ts", "check": "tsc --noEmit" },
  "devDependencies": {
    "@auth/core": "0.41.1",
    "@auth/qwik": "^0.9.1",
    "@builder.io/qwik": "1.20.1",
    "@builder.io/qwik-city": "1.20.1",
    "@types/node": "24.10.1",
    "typescript": "5.9.3",
    "vite": "7.3.8"
  }
}
`,
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "ES2022",
    "moduleResolution": "Bundler",
    "lib": ["ES2023", "DOM"],
    "jsx": "react-jsx",
    "jsxImportSource": "@builder.io/qwik",
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true,
    "types": ["node"],
    "paths": { "~/*": ["./src/*"] }
  },
  "include": ["src"]
}
`,
  "vite.config.ts": `import { qwikCity } from "@builder.io/qwik-city/vite";
import { qwikVite } from "@builder.io/qwik/optimizer";
import { defineConfig } from "vite";

export default defineConfig(() => ({
  plugins: [qwikCity(), qwikVite()],
  optimizeDeps: { include: ["@auth/qwik"] },
  resolve: { alias: { "~": new URL("./src", import.meta.url).pathname } },
}));
`,
  "vite.server.ts": `import { nodeServerAdapter } from "@builder.io/qwik-city/adapters/node-server/vite";
import { extendConfig } from "@builder.io/qwik-city/vite";
import base from "./vite.config";

export default extendConfig(base, () => ({
  build: { ssr: true, rollupOptions: { input: ["src/entry.server.ts", "@qwik-city-plan"] } },
  plugins: [nodeServerAdapter({ name: "node-server", ssg: null })],
}));
`,
  ".env": "AUTH_SECRET=k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw\n",
  "src/root.tsx": `import { component$ } from "@builder.io/qwik";
import { QwikCityProvider, RouterOutlet } from "@builder.io/qwik-city";

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
));
`,
  "src/entry.ssr.tsx": `import { renderToStream, type RenderToStreamOptions } from "@builder.io/qwik/server";
import Root from "./root";

export default function (options: RenderToStreamOptions) {
  return renderToStream(<Root />, options);
}
`,
  "src/entry.server.ts": `import { createServer } from "node:http";
import { createQwikCity } from "@builder.io/qwik-city/middleware/node";
import qwikCityPlan from "@qwik-city-plan";
import render from "./entry.ssr";

const { router, notFound } = createQwikCity({ render, qwikCityPlan });
createServer((request, response) => router(request, response, () => notFound(request, response, () => response.end()))).listen(
  Number(process.env.PORT),
  "localhost",
);
`,
  "src/routes/plugin@auth.ts": `import { CredentialsSignin, QwikAuth$ } from "@auth/qwik";
import type { Provider } from "@auth/qwik/providers";
import Credentials from "@auth/qwik/providers/credentials";
import type { JWT } from "@auth/core/jwt";
import { shelfOf } from "~/shelves";

declare module "@auth/qwik" {
  interface Session {
    shelf?: string;
  }
}
declare module "@auth/core/jwt" {
  interface JWT {
    shelf?: string;
  }
}

class Closed extends CredentialsSignin {
  code = "closed";
}

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(({ env }) => {
  const password = env.get("LIBRARY_PASSWORD") ?? "books";
  const providers: Provider[] = [
    Credentials({
      credentials: { name: {}, password: { type: "password" } },
      authorize: (given) => {
        if (given.name === "Eve") throw new Closed();
        return given.password === password ? { id: "1", name: String(given.name) } : null;
      },
    }),
  ];
  return {
    providers,
    callbacks: {
      jwt: ({ token }): JWT => ({ ...token, shelf: shelfOf(token.name ?? "") }),
      session: ({ session, token }) => ({ ...session, shelf: token.shelf }),
    },
  };
});
`,
  "src/shelves.ts": `export const shelfOf = (name: string): string => "shelf " + name.slice(0, 1);
`,
  "src/routes/index.tsx": `import { component$ } from "@builder.io/qwik";
import { Form } from "@builder.io/qwik-city";
import { useSession, useSignIn, useSignOut } from "./plugin@auth";

export default component$(() => {
  const session = useSession();
  const signIn = useSignIn();
  const signOut = useSignOut();
  return session.value ? (
    <Form action={signOut} id="out">
      <p>{\`Hello \${session.value.user?.name}, \${session.value.shelf}\`}</p>
      <input type="hidden" name="redirectTo" value="/" />
      <button>Sign out</button>
    </Form>
  ) : (
    <Form action={signIn} id="in">
      <input type="hidden" name="providerId" value="credentials" />
      <input type="hidden" name="options.redirectTo" value="/" />
      <input name="options.name" />
      <input name="options.password" type="password" />
      <button>Sign in</button>
    </Form>
  );
});
`,
}
