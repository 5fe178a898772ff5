import { Form } from "../form.jsx"
import { Who } from "../who.jsx"
import { enter, enterQuietly, enterQuietlyByForm, leave, leaveQuietly, nowhere, paint, whoActs } from "./actions.js"

export default function Actions() {
  return (
    <main>
      <Who />
      <Form action={whoActs} button="Who acts?" />
      <Form action={paint} button="Paint it red" />
      <Form action={enter} button="Enter" />
      <Form action={enterQuietly} button="Enter quietly" />
      <Form action={enterQuietlyByForm} button="Enter quietly by form">
        <input type="hidden" name="name" value="grace" />
        <input type="hidden" name="password" value="open sesame" />
        <input type="hidden" name="redirectTo" value="/private" />
        <input type="hidden" name="redirect" value="false" />
      </Form>
      <Form action={nowhere} button="Enter nowhere" />
      <Form action={leave} button="Leave" />
      <Form action={leaveQuietly} button="Leave quietly" />
    </main>
  )
}
