//! The attributes: who may see a field, and what it tells that was not known.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Error, Expr, Field, Ident, LitStr, Member, Token, Type};

/// `#[hidden(..)]` on a field.
pub(crate) struct Hidden {
    pub(crate) how: How,
    /// Documents what viewers get instead of what is there.
    pub(crate) doc: Option<LitStr>,
}

pub(crate) enum How {
    /// `owner = seat`: only the seat in this field sees it; to the others it is null.
    Owner(Ident),
    /// `as = View`: viewers get this type in its place.
    As(Box<Type>),
    /// `unless = function`: null to the viewers of whom this is not true.
    Unless(Box<Expr>),
}

impl Parse for Hidden {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let how = if input.parse::<Option<Token![as]>>()?.is_some() {
            input.parse::<Token![=]>()?;
            How::As(input.parse()?)
        } else {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            if name == "owner" {
                How::Owner(input.parse()?)
            } else if name == "unless" {
                How::Unless(input.parse()?)
            } else {
                return Err(Error::new(name.span(), "hidden is `as`, `owner` or `unless`"));
            }
        };
        Ok(Hidden { how, doc: next(input, "doc")? })
    }
}

/// `#[open(doc = "...")]` on a field: everybody sees it, and in the view it has this documentation.
pub(crate) struct Open {
    /// `as = Edition, by = function`: in the view it has this type.
    pub(crate) seen: Option<(Type, Expr)>,
    pub(crate) doc: LitStr,
}

impl Parse for Open {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let mut seen = None;
        if input.parse::<Option<Token![as]>>()?.is_some() {
            input.parse::<Token![=]>()?;
            let view = input.parse()?;
            let by = next(input, "by")?;
            let by =
                by.ok_or_else(|| input.error("how does it become this? Add `by = function`"))?;
            seen = Some((view, by));
            input.parse::<Token![,]>()?;
        }
        word(input, "doc")?;
        input.parse::<Token![=]>()?;
        Ok(Open { seen, doc: input.parse()? })
    }
}

/// `#[news(..)]` on a field or a variant: to whom it tells something, and when.
pub(crate) struct News {
    to: Ident,
    /// `if = function`: only if this is true of the field.
    pub(crate) when: Option<Expr>,
}

impl News {
    pub(crate) fn level(&self) -> TokenStream {
        if self.to == "all" {
            quote!(::kernel::Disclosure::ToAll)
        } else {
            quote!(::kernel::Disclosure::ToOthers)
        }
    }
}

impl Parse for News {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let to: Ident = input.parse()?;
        if to != "all" && to != "others" {
            return Err(Error::new(to.span(), "news is to `all` or to `others`"));
        }
        let when = input.parse::<Option<Token![,]>>()?.map(|_| {
            input.parse::<Token![if]>()?;
            input.parse::<Token![=]>()?;
            input.parse()
        });
        Ok(News { to, when: when.transpose()? })
    }
}

/// What is said of one field.
pub(crate) struct Ruled {
    pub(crate) hidden: Option<Hidden>,
    pub(crate) news: Vec<News>,
    /// How an open field is in the view, if it is not as it is.
    pub(crate) open: Option<Open>,
}

/// What is said of a variant or a struct.
pub(crate) struct Rules {
    /// `#[open(..)]`: the fields that everybody sees and could have known.
    open: Vec<(Member, Span)>,
    pub(crate) news: Vec<News>,
    /// Is it an event? Then each field must say, too, what it tells.
    of_event: bool,
}

impl Rules {
    pub(crate) fn read(attributes: &[Attribute], of_event: bool) -> Result<Rules, Error> {
        if let Some(hidden) = named(attributes, "hidden").next() {
            return Err(Error::new(hidden.span(), "it is a field that is `hidden`: mark each"));
        }
        let mut open = Vec::new();
        for attribute in named(attributes, "open") {
            let members =
                attribute.parse_args_with(Punctuated::<Member, Token![,]>::parse_terminated)?;
            open.extend(members.into_iter().map(|member| {
                let span = member.span();
                (member, span)
            }));
        }
        let news: Vec<News> = read(attributes, "news")?;
        if let Some(when) = news.iter().find_map(|news| news.when.as_ref()) {
            return Err(Error::new(when.span(), "a variant has no value to ask: mark the field"));
        }
        Ok(Rules { open, news, of_event })
    }

    /// What is said of a field, here and at the field itself: something must be.
    pub(crate) fn of_field(&mut self, member: &Member, field: &Field) -> Result<Ruled, Error> {
        let ruled = Ruled {
            hidden: once(&field.attrs, "hidden")?,
            news: read(&field.attrs, "news")?,
            open: once(&field.attrs, "open")?,
        };
        if ruled.open.is_some() && ruled.hidden.is_some() {
            return Err(Error::new(field.span(), "a field is `open` or `hidden`, not both"));
        }
        if ruled.open.is_some() && ruled.news.is_empty() {
            return Ok(ruled);
        }
        let listed = self.open.iter().position(|(open, _)| open == member);
        let name = member.to_token_stream();
        let reason = match (listed, self.of_event, &ruled.hidden, ruled.news.is_empty()) {
            (Some(listed), _, None, true) => {
                self.open.remove(listed);
                return Ok(ruled);
            }
            (None, true, _, false) | (None, false, Some(_), true) => return Ok(ruled),
            (Some(_), ..) => format!("`{name}` is `open`: so it is neither hidden nor news"),
            (None, true, Some(_), true) => {
                format!(
                    "to whom does `{name}` tell something? Mark it `#[news(all)]` or `#[news(others)]`"
                )
            }
            (None, true, None, true) => format!(
                "who may see `{name}`? Name it in `#[open(..)]` if everybody may see it and could have known it; else mark it \
                 `#[news(all)]` or `#[news(others)]`, and `#[hidden(..)]` if not everybody may see it"
            ),
            (None, false, ..) => format!(
                "who may see `{name}`? Name it in `#[open(..)]` if everybody may, else mark it `#[hidden(..)]`"
            ),
        };
        Err(Error::new(field.span(), reason))
    }

    /// Every field that was named is there.
    pub(crate) fn all_met(self) -> Result<(), Error> {
        match self.open.first() {
            None => Ok(()),
            Some((_, span)) => Err(Error::new(*span, "no such field")),
        }
    }
}

/// `#[secret(position = Position, view = View, doc = "...")]` on the type.
pub(crate) struct Of {
    /// The position that it is of.
    pub(crate) position: Type,
    /// The name of the view, if it is said. Then bounds are left out there: they say what may be loaded.
    pub(crate) view: Option<Ident>,
    /// Documents the view.
    pub(crate) doc: Option<LitStr>,
}

impl Of {
    pub(crate) fn read(input: &DeriveInput) -> Result<Of, Error> {
        let missing = "say which position it is of: `#[secret(position = Position)]`";
        let found = once(&input.attrs, "secret")?;
        found.ok_or_else(|| Error::new(input.ident.span(), missing))
    }
}

impl Parse for Of {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        word(input, "position")?;
        input.parse::<Token![=]>()?;
        Ok(Of { position: input.parse()?, view: next(input, "view")?, doc: next(input, "doc")? })
    }
}

/// A `#[schema(..)]` without the bounds of a list or a number.
pub(crate) fn unbounded(attribute: &Attribute) -> Result<TokenStream, Error> {
    attribute.parse_args_with(|input: ParseStream<'_>| {
        let mut kept = TokenStream::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            let value = match name == "value_type" {
                true => input.parse::<Type>()?.to_token_stream(),
                false => input.parse::<Expr>()?.to_token_stream(),
            };
            let bounds = ["minimum", "maximum", "min_items", "max_items"];
            if !bounds.iter().any(|bound| name == bound) {
                kept.extend(quote!(#name = #value,));
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(if kept.is_empty() { kept } else { quote!(#[schema(#kept)]) })
    })
}

/// Is the field of this name?
pub(crate) fn is(member: &Member, name: &Ident) -> bool {
    matches!(member, Member::Named(member) if member == name)
}

fn named<'a>(attributes: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attributes.iter().filter(move |attribute| attribute.path().is_ident(name))
}

fn read<T: Parse>(attributes: &[Attribute], name: &str) -> Result<Vec<T>, Error> {
    named(attributes, name).map(Attribute::parse_args).collect()
}

/// What is said once, or not at all.
fn once<T: Parse>(attributes: &[Attribute], name: &str) -> Result<Option<T>, Error> {
    let mut said = named(attributes, name);
    let first = said.next();
    if let Some(again) = said.next() {
        return Err(Error::new(again.span(), format!("`{name}` is said twice")));
    }
    first.map(Attribute::parse_args).transpose()
}

/// This very word.
fn word(input: ParseStream<'_>, expected: &str) -> Result<(), Error> {
    let found: Ident = input.parse()?;
    if found == expected {
        return Ok(());
    }
    Err(Error::new(found.span(), format!("expected `{expected}`")))
}

/// `, name = value`, if that comes next.
fn next<T: Parse>(input: ParseStream<'_>, name: &str) -> Result<Option<T>, Error> {
    let ahead = input.fork();
    if ahead.parse::<Token![,]>().is_err() || word(&ahead, name).is_err() {
        return Ok(None);
    }
    input.parse::<Token![,]>()?;
    word(input, name)?;
    input.parse::<Token![=]>()?;
    input.parse().map(Some)
}
