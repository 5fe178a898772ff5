import { createAsync, Router } from "@solidjs/router"
import { FileRoutes } from "@solidjs/start/router"
import { type ParentProps, Show, Suspense } from "solid-js"
import { getUser } from "./session"
import "./style.css"

function Layout(props: ParentProps) {
  const user = createAsync(() => getUser(), { deferStream: true })
  return (
    <Suspense>
      <header>
        <a class="brand" href="/">
          Harbor
        </a>
        <nav>
          <a href="/account">Account</a>
          <a href="/client">Client</a>
        </nav>
        <Show when={user()}>{(known) => <span class="user-name">{known().name ?? known().email}</span>}</Show>
      </header>
      <main>{props.children}</main>
    </Suspense>
  )
}

export default function App() {
  return (
    <Router root={Layout}>
      <FileRoutes />
    </Router>
  )
}
