import { component$ } from "@builder.io/qwik"
import { routeLoader$ } from "@builder.io/qwik-city"

/** An application with a mail server doesn't have this page. */
export const useMessages = routeLoader$(async () => (await import("../../store")).store.messages())

export default component$(() => {
  const messages = useMessages()
  return (
    <section>
      <h1>Outbox</h1>
      {messages.value.length === 0 && <p>No messages yet.</p>}
      <ul>
        {messages.value.map(({ to, url }) => (
          <li key={url}>
            <a href={url}>Sign-in link for {to}</a>
          </li>
        ))}
      </ul>
    </section>
  )
})
