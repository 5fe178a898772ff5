import { manifest } from "../latchkey.js"

/** An application of next-auth 4 with the App Router, its options in `lib`, an adapter and a middleware. */
export const appRouter: Readonly<Record<string, string>> = {
  "package.json": manifest(
    { next: "16.4.6", "next-auth": "^4.24.7", react: "19.3.1", "react-dom": "19.3.1" },
    {
      type: undefined,
      scripts: { build: "next build", start: "next start" },
      devDependencies: { "@types/node": "24.19.2", "@types/react": "19.3.0", typescript: "5.9.3" },
    },
  ),
  "tsconfig.json": `{
  // As create-next-app writes it.
  "compilerOptions": {
    "target": "ES2017",
    "lib": ["dom", "dom.iterable", "esnext"],
    "allowJs": true,
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
    "paths": { "@/*": ["./src/*"] }
  },
  "include": ["next-env.d.ts", "**/*.ts", "**/*.tsx"],
  "exclude": ["node_modules"]
}
`,
  ".env": "NEXTAUTH_SECRET=a-secret-that-is-long-enough-for-a-test\nSHOP_PASSWORD=lovelace\n",
  "src/lib/auth.ts": `import type { NextAuthOptions } from "next-auth";
import { getServerSession } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import CredentialsProvider from "next-auth/providers/credentials";
import GithubProvider from "next-auth/providers/github";
import { users } from "./users";

export const authOptions: NextAuthOptions = {
  adapter: { getUser: async (id) => users.find((user) => user.id === id) ?? null } as Adapter,
  session: { strategy: "jwt", maxAge: 60 * 60 },
  secret: process.env.NEXTAUTH_SECRET,
  pages: { signIn: "/login" },
  providers: [
    GithubProvider({
      clientId: process.env.GITHUB_ID ?? "",
      clientSecret: process.env.GITHUB_SECRET ?? "",
      checks: "state",
    }),
    CredentialsProvider({
      name: "Shop",
      credentials: { email: { label: "Email", type: "text" }, password: { label: "Password", type: "password" } },
      async authorize(credentials) {
        if (credentials?.password !== process.env.SHOP_PASSWORD) return null;
        return users.find((user) => user.email === credentials?.email) ?? null;
      },
    }),
  ],
  callbacks: {
    async jwt({ token, user }) {
      if (user) token.role = "customer";
      return token;
    },
    async session({ session, token }) {
      session.user.id = token.sub ?? "";
      session.user.role = token.role;
      return session;
    },
  },
};

export const currentSession = () => getServerSession(authOptions);
`,
  "src/lib/users.ts": `export const users = [{ id: "1", name: "Ada", email: "ada@example.com", emailVerified: null }];
`,
  "src/types/next-auth.d.ts": `import type { DefaultSession } from "next-auth";

declare module "next-auth" {
  interface Session {
    user: { id: string; role?: string } & DefaultSession["user"];
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    role?: string;
  }
}
`,
  "src/app/api/auth/[...nextauth]/route.ts": `import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth";

const handler = NextAuth(authOptions);

export { handler as GET, handler as POST };
`,
  "src/app/layout.tsx": `import type { ReactNode } from "react";
import Providers from "./providers";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
`,
  "src/app/providers.tsx": `"use client";
import { SessionProvider } from "next-auth/react";
import type { ReactNode } from "react";

export default function Providers({ children }: { children: ReactNode }) {
  return <SessionProvider>{children}</SessionProvider>;
}
`,
  "src/app/page.tsx": `import { getServerSession } from "next-auth/next";
import { authOptions } from "@/lib/auth";

export default async function Page() {
  const session = await getServerSession(authOptions);
  return <p>{session?.user ? \`Hello \${session.user.name}, \${session.user.role}\` : "Hello visitor"}</p>;
}
`,
  "src/app/orders/page.tsx": `import { currentSession } from "@/lib/auth";

export default async function Orders() {
  const session = await currentSession();
  return <p>Orders of {session?.user.id}</p>;
}
`,
  "src/app/login/page.tsx": `"use client";
import { signIn } from "next-auth/react";

export default function Login() {
  return <button onClick={() => signIn("github", { callbackUrl: "/orders" })}>Sign in</button>;
}
`,
  "src/app/api/token/route.ts": `import { getToken } from "next-auth/jwt";
import type { NextRequest } from "next/server";

export async function GET(req: NextRequest) {
  const token = await getToken({ req });
  return Response.json({ role: token?.role ?? null });
}
`,
}
