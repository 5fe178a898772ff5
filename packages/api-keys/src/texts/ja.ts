const texts: Readonly<Record<string, string>> = {
  title: "API キー",
  about: "プログラムは API キーを使って、あなたに代わって操作します。パスワードと同じように秘密にしてください。",
  created: "作成日: {date}",
  used: "最終使用: {date}",
  expires: "有効期限: {date}",
  expired: "期限切れ: {date}",
  never: "なし",
  name: "名前",
  days: "有効期間 (日数)",
  daysOrNever: "有効期間 (日数、空欄は無期限)",
  create: "API キーを作成",
  rotate: "{name} を交換",
  revoke: "{name} を取り消す",
  keep: "API キーを今すぐコピーしてください。再び表示されることはありません。",
  overlap: "以前のキーは {date} まで使えます。",
  badName: "64 文字以内の名前を入力してください。",
  badScopes: "キーに許可する操作を選んでください。",
  badDays: "1 から {max} までの日数を入力してください。",
  full: "API キーが {max} 個あり、これ以上作成できません。先に 1 つ取り消してください。",
  changed: "この API キーはその間に変更されました。現在の状態はアカウントページで確認できます。",
  notAllowed: "あなたのアカウントでは API キーを使えません。",
  account: "アカウントへ",
  mailCreated: "アカウントに API キーが追加されました: {name}",
  mailRotated: "アカウントの API キーが交換されました: {name}",
  mailExpires:
    "アカウントの API キーの有効期限は {date} です: {name}。使い続けるには、アカウントページで交換してください。",
  mailReported: "アカウントの API キーが公開された場所で見つかったため、取り消されました: {name}",
  mailNotYou:
    "このキーに心当たりがない場合は、アカウントページで取り消し、ほかのすべての場所でサインアウトしてください。",
}

export default texts
