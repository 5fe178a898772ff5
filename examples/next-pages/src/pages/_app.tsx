import type { Session } from "@latchkey/next"
import { SessionProvider } from "@latchkey/next/react"
import type { AppProps } from "next/app"
import Head from "next/head"
import { Header } from "@/header"
import "@/style.css"

/** A page with `getServerSideProps` passes the session as a prop. On other pages, the provider asks the server. */
export default function App({ Component, pageProps }: AppProps<{ session?: Session | null }>) {
  return (
    <SessionProvider session={pageProps.session}>
      <Head>
        <title>Guestbook</title>
        <link rel="icon" href="data:," />
      </Head>
      <Header />
      <main>
        <Component {...pageProps} />
      </main>
    </SessionProvider>
  )
}
