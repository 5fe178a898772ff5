import { component$ } from "@builder.io/qwik"

export default component$(() => (
  <section>
    <h1>Check your email</h1>
    <p>
      We sent you a link. This example has no mail server: the message is in the <a href="/outbox/">outbox</a>.
    </p>
  </section>
))
