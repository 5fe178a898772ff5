import { SessionProvider } from "next-auth/react"

export default function App({ Component, pageProps: { session, basePath, ...pageProps } }) {
  return (
    <SessionProvider session={session} {...(basePath && { basePath })}>
      <Component {...pageProps} basePath={basePath} />
    </SessionProvider>
  )
}
