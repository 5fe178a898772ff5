import core, { type TodoistProfile } from "@latchkey/core/providers/todoist"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/todoist"

const TodoistProvider: ProviderFactory<TodoistProfile> = providerOf(core)

export default TodoistProvider
