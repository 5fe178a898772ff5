import { manifest } from "../latchkey.js"

/** An application of next-auth 4 with the Pages Router, options of its own in the API route, and a middleware. */
export const pagesRouter: Readonly<Record<string, string>> = {
  "package.json": manifest(
    { next: "15.5.4", "next-auth": "4.24.7", nodemailer: "6.9.14", react: "19.3.1", "react-dom": "19.3.1" },
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
    "baseUrl": "."
  },
  "include": ["next-env.d.ts", "**/*.ts", "**/*.tsx"],
  "exclude": ["node_modules"]
}
`,
  ".env.local": "NEXTAUTH_URL=http://localhost:3000\nNEXTAUTH_SECRET=a-secret-that-is-long-enough-for-a-test\n",
  "pages/api/auth/[...nextauth].ts": `import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth, { NextAuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import { find } from '../../../server/users'

export const authOptions: NextAuthOptions = {
  providers: [
    CredentialsProvider({
      credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize: async (credentials) => (credentials?.password === 'lovelace' ? find(credentials.name) : null),
    }),
  ],
}

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  return await NextAuth(req, res, authOptions)
}
`,
  "server/users.ts": `export const find = (name: string) => ({ id: name, name, email: \`\${name}@example.com\` })
`,
  "server/session.ts": `import type { GetServerSidePropsContext } from 'next'
import { getServerSession } from 'next-auth'
import { authOptions } from 'pages/api/auth/[...nextauth]'

export const getServerAuthSession = (ctx: {
  req: GetServerSidePropsContext['req']
  res: GetServerSidePropsContext['res']
}) => {
  return getServerSession(ctx.req, ctx.res, authOptions)
}
`,
  "pages/_app.tsx": `import { SessionProvider } from 'next-auth/react'
import type { AppProps } from 'next/app'
import type { Session } from 'next-auth'

export default function App({ Component, pageProps: { session, ...props } }: AppProps<{ session: Session | null }>) {
  return (
    <SessionProvider session={session}>
      <Component {...props} />
    </SessionProvider>
  )
}
`,
  "pages/index.tsx": `import type { GetServerSideProps } from 'next'
import { useSession } from 'next-auth/react'
import { getServerAuthSession } from 'server/session'

export const getServerSideProps: GetServerSideProps = async (context) => ({
  props: { session: await getServerAuthSession(context) },
})

export default function Home() {
  const { data } = useSession()
  return <p>Hello {data?.user?.name ?? 'visitor'}</p>
}
`,
  "pages/account.tsx": `import type { GetServerSideProps } from 'next'
import { getServerSession } from 'next-auth/next'
import { authOptions } from './api/auth/[...nextauth]'

export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await getServerSession(context.req, context.res, authOptions)
  if (!session) return { redirect: { destination: '/api/auth/signin', permanent: false } }
  return { props: { name: session.user?.name ?? '' } }
}

export default function Account({ name }: { name: string }) {
  return <p>Account of {name}</p>
}
`,
  "pages/api/me.ts": `import type { NextApiRequest, NextApiResponse } from 'next'
import { getServerSession } from 'next-auth/next'
import { getToken } from 'next-auth/jwt'
import { authOptions } from './auth/[...nextauth]'

export default async function me(req: NextApiRequest, res: NextApiResponse) {
  const session = await getServerSession(req, res, authOptions)
  const token = await getToken({ req, secret: process.env.NEXTAUTH_SECRET })
  res.json({ name: session?.user?.name ?? null, sub: token?.sub ?? null })
}
`,
  "middleware.ts": `import { withAuth } from 'next-auth/middleware'

export default withAuth({
  callbacks: { authorized: ({ token }) => !!token },
})

export const config = { matcher: ['/account/:path*'] }
`,
}
