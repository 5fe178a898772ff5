export default function Home() {
  return <h1>React Router</h1>
}
