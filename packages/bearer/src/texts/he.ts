const texts: Readonly<Record<string, string>> = {
  title: "כניסה אל {client}",
  asks: "{client} רוצה לחבר אותך באמצעות החשבון שלך ב-{app}. יש להמשיך רק אם פתחת את הדף הזה מתוך האפליקציה.",
  as: "נכנסת בתור {user}.",
  continue: "המשך",
  cancel: "ביטול",
  unknown: "לא ניתן לענות על הבקשה הזו",
  unknownText:
    "האפליקציה שפתחה את הדף הזה אינה מוכרת כאן, או שהבקשה שלה שגויה או ישנה מדי. יש לחזור לאפליקציה ולנסות שוב.",
  apps: "אפליקציות",
  app: "{client}, מאז {date}",
  end: "יציאה מ-{client}",
}

export default texts
