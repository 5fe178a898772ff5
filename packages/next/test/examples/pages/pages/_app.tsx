import type { AppProps } from "next/app"
import { SessionProvider } from "next-auth/react"

export default function App({ Component, pageProps: { session, ...pageProps } }: AppProps) {
  return (
    <SessionProvider session={session} refetchInterval={300} refetchOnWindowFocus={false} refetchWhenOffline={false}>
      <Component {...pageProps} />
    </SessionProvider>
  )
}
