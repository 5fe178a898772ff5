/** The examples in the docs import this as "@/actions". */
export declare function signInWithPassword(previous: string | undefined, form: FormData): Promise<string | undefined>
