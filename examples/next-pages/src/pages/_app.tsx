import type { Session } from "@latchkey/next"
import { SessionProvider } from "@latchkey/next/react"
import type { AppProps } from "next/app"
import Head from "next/head"
import { Header } from "@/header"
import "@/style.css"

/** Pages that know the session from the server hand it to those that ask in the browser. */
export default function App({ Component, pageProps }: AppProps<{ session?: Session | null }>) {
  return (
    <SessionProvider session={pageProps.session}>
      <Head>
        <title>Guest book</title>
        <link rel="icon" href="data:," />
      </Head>
      <Header />
      <main>
        <Component {...pageProps} />
      </main>
    </SessionProvider>
  )
}
