/** CSS rules that only the account page needs. */
export const accountRules = `
@media (min-width:451px){.account .card{width:40rem}}
.account h1{margin-bottom:.25rem}
.account .logo{margin-inline:0}
.account h1,.account .who{text-align:start}
.account .who,.account .note,.account .details{font-size:.875rem;color:var(--color-primary)}
.account section{margin-top:1.5rem;padding-top:1.5rem;border-top:var(--border-width) solid var(--color-separator)}
.account h2{margin:0 0 .5rem;font-size:1rem;line-height:1.5;font-weight:600}
.account section>p{font-size:.875rem;color:var(--color-primary)}
.account .done{margin:0 0 1rem;padding:.75rem 1rem;border:var(--border-width) solid var(--color-info);border-radius:var(--border-radius)}
.account .items{margin:0;padding:0;list-style:none}
.account .items li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;min-height:3.75rem;padding:.5rem 0}
.account .items li+li{border-top:var(--border-width) solid var(--color-separator)}
.account .items strong{font-weight:500}
.account .what{flex:1 1 10rem;display:flex;flex-direction:column;font-size:.9375rem;line-height:1.375rem}
.account .details{display:flex;flex-wrap:wrap;gap:0 1rem}
.account form{height:auto}
.account summary,.account .items button:not(.submit),.account .actions button{width:auto;min-width:2.75rem;padding-inline:.875rem;font-size:.875rem}
.account summary{display:inline-flex}
.account li details[open]{flex-basis:100%}
.account details>div{padding:.75rem 0 .25rem}
.account .actions{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.75rem}
.account .danger{color:var(--color-error);border-color:color-mix(in srgb,var(--color-error) 60%,transparent)}
.account .check{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;margin:0 0 1rem}
.account .check input{margin:0;flex:none}
.account .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.account .again{margin:0 0 1rem}
.account .back{margin-top:1.5rem;padding-top:1.25rem;border-top:var(--border-width) solid var(--color-separator)}
`
