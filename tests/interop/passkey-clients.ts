import { Auth as PublishedAuth, type AuthConfig as PublishedConfig } from "@auth/core"
import PublishedPasskey from "@auth/core/providers/passkey"
import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { forPublished, secret } from "./applications.js"

export type Side = "theirs" | "ours"

const basePath = "/api/auth"

/** Both libraries over the same rows. Their handlers are for one origin. */
export function passkeyServers(adapter: Adapter): Readonly<Record<Side, (request: Request) => Promise<Response>>> {
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const common = { secret, basePath, trustHost: true, logger, experimental: { enableWebAuthn: true } }
  const theirs: PublishedConfig = {
    ...common,
    adapter: forPublished(adapter),
    session: { strategy: "jwt" },
    providers: [PublishedPasskey],
  }
  const ours: AuthConfig = { ...common, adapter, session: { strategy: "jwt" }, providers: [Passkey] }
  return {
    theirs: (request) => PublishedAuth(request, theirs),
    ours: (request) => Auth(request, ours),
  }
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** A script that puts `signIn` of `next-auth/webauthn`, or of ours, on the window. */
export async function passkeyClient(side: Side): Promise<string> {
  const client = side === "theirs" ? "next-auth/webauthn" : path("../../packages/next/src/webauthn.ts")
  const build = await rolldown({
    input: "entry",
    cwd: path("."),
    platform: "browser",
    tsconfig: false,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? path("entry.js") : undefined),
        load: (id) =>
          id === path("entry.js")
            ? `import { signIn } from ${JSON.stringify(client)}; globalThis.signIn = signIn; document.title = "ready"`
            : undefined,
      },
    ],
    resolve: {
      alias: {
        "@latchkey/react/webauthn": path("../../packages/react/src/webauthn.ts"),
        "@latchkey/react": path("../../packages/react/src/index.ts"),
        "@latchkey/client/webauthn": path("../../packages/client/src/webauthn.ts"),
        "@latchkey/client": path("../../packages/client/src/index.ts"),
      },
    },
    transform: { define: { "process.env.NODE_ENV": '"production"', "process.env": "({})" } },
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  return output[0].code
}
