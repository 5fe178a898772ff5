import { manifest } from "../latchkey.js"

/** An application of next-auth 5 with a split configuration, and a middleware on the edge runtime. */
export const split: Readonly<Record<string, string>> = {
  "package.json": manifest(
    { next: "15.5.4", "next-auth": "5.0.0-beta.32", react: "19.3.1", "react-dom": "19.3.1" },
    {
      type: undefined,
      scripts: { build: "next build", start: "next start" },
      devDependencies: { "@types/node": "24.19.2", "@types/react": "19.3.0", typescript: "5.9.3" },
    },
  ),
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ES2017",
    "lib": ["dom", "dom.iterable", "esnext"],
    "skipLibCheck": true,
    "strict": true,
    "noEmit": true,
    "esModuleInterop": true,
    "module": "esnext",
    "moduleResolution": "bundler",
    "resolveJsonModule": true,
    "isolatedModules": true,
    "jsx": "preserve",
    "incremental": true,
    "plugins": [{ "name": "next" }],
    "paths": { "@/*": ["./*"] }
  },
  "include": ["next-env.d.ts", "**/*.ts", "**/*.tsx"],
  "exclude": ["node_modules"]
}
`,
  ".env": "AUTH_SECRET=a-secret-that-is-long-enough-for-a-test\nAUTH_TRUST_HOST=true\n",
  "auth.config.ts": `import type { NextAuthConfig } from "next-auth"

export default {
  providers: [],
  callbacks: {
    authorized: ({ auth, request }) => !request.nextUrl.pathname.startsWith("/account") || !!auth?.user,
  },
} satisfies NextAuthConfig
`,
  "auth.ts": `import NextAuth from "next-auth"
import Credentials from "next-auth/providers/credentials"
import authConfig from "./auth.config"

export const { handlers, auth, signIn, signOut } = NextAuth({
  ...authConfig,
  providers: [
    Credentials({
      credentials: { name: {}, password: { type: "password" } },
      authorize: ({ name, password }) =>
        password === "lovelace" ? { id: "1", name: String(name), email: "ada@example.com" } : null,
    }),
  ],
  callbacks: {
    ...authConfig.callbacks,
    jwt: ({ token, user }) => (user ? { ...token, plan: "free" } : token),
    session: ({ session, token }) => ({ ...session, plan: token.plan }),
  },
})
`,
  "types.d.ts": `import "next-auth"
import "next-auth/jwt"

declare module "next-auth" {
  interface Session {
    plan?: string
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    plan?: string
  }
}
`,
  "middleware.ts": `import NextAuth from "next-auth"
import authConfig from "./auth.config"

export const { auth: middleware } = NextAuth(authConfig)

export const config = { matcher: ["/((?!api|_next/static|favicon.ico).*)"] }
`,
  "app/api/auth/[...nextauth]/route.ts": `import { handlers } from "@/auth"

export const { GET, POST } = handlers
`,
  "app/layout.tsx": `import type { ReactNode } from "react"

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`,
  "app/page.tsx": `import { auth } from "@/auth"

export default async function Page() {
  const session = await auth()
  return <p>Hello {session?.user?.name ?? "visitor"}, {session?.plan ?? "no plan"}</p>
}
`,
  "app/account/page.tsx": `import { auth, signOut } from "@/auth"

export default async function Account() {
  const session = await auth()
  return (
    <form
      action={async () => {
        "use server"
        await signOut()
      }}
    >
      <p>Account of {session?.user?.name}</p>
      <button type="submit">Sign out</button>
    </form>
  )
}
`,
}
