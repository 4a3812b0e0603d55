"""Permissions: a view names the ability it needs; a scope has it or not."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tenants.scope import Ability, Scope

if TYPE_CHECKING:
    from rest_framework.views import APIView  # rest_framework.views itself imports this module


class HasAbility(BasePermission):
    """Let a request through when its scope has the view's `ability`: one, or one a method (None: any live key)."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Say whether the request's scope has the ability the view declares; a view without one is closed."""
        scope = request.auth
        if not isinstance(scope, Scope):
            return False
        declared: Ability | Mapping[str, Ability] | None = view.ability  # type: ignore[attr-defined]
        ability = declared.get(request.method or "") if isinstance(declared, Mapping) else declared
        if ability is not None:
            scope.require(ability)
        return True
